import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_MAX_VIEWS } from '#api/constants.ts';
import type { Image } from '#api/images/images.ts';
import { AccessPasswordField, ViewLimitField, VisibilityField } from '#renderer/components/forms/sharing-fields.tsx';
import { ownEscape } from '#renderer/components/own-escape.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { limitsQuery } from '#renderer/service/queries.ts';
import { Expiry } from './expiry.tsx';
import type { Change } from './use-change.ts';
import classes from './viewer.module.css';

interface Props {
  image: Image;
  change: Change;
}

/** Controls who can open an image's links, for how long and how often. */
export function Sharing(props: Props) {
  return (
    <Stack gap="sm" className={classes.fields}>
      <Visibility {...props} />
      <Expiry key={props.image.expires_at} {...props} />
      <ViewLimit key={props.image.max_views} {...props} />
      <Password {...props} />
    </Stack>
  );
}

function Visibility({ image, change }: Props) {
  const { t } = useTranslation();
  return (
    <VisibilityField label={t('details.visibility')} size="xs" value={image.visibility} onChange={(visibility) => change({ visibility })}>
      {image.visibility === 'private' && (
        <Text size="xs" c="dimmed" mt={6}>
          {t('details.adminsToo')}
        </Text>
      )}
    </VisibilityField>
  );
}

function ViewLimit({ image, change }: Props) {
  const { t } = useTranslation();
  const { data: limits } = useQuery(limitsQuery);
  const [views, setViews] = useState<string | number>(image.max_views || '');
  const max = limits?.max_max_views || MAX_MAX_VIEWS;
  const save = () => {
    const limit = Number(views) || 0;
    if (limit !== image.max_views) change({ max_views: limit });
  };
  // The limit is a total. Offer as many views again, up to the maximum.
  const more = Math.min(image.max_views, max - image.max_views);
  return (
    <div>
      <ViewLimitField
        {...ownEscape}
        description={image.views_left === null ? undefined : t('library.viewsLeft', { count: image.views_left })}
        size="sm"
        value={views}
        onChange={setViews}
        onBlur={save}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
      {image.views_left === 0 && more > 0 && (
        <Button size="xs" variant="default" mt="xs" onClick={() => change({ max_views: image.max_views + more })}>
          {t('library.allowMore', { count: more })}
        </Button>
      )}
    </div>
  );
}

function Password({ image, change }: Props) {
  const { t } = useTranslation();
  const [password, setPassword] = useState<string>();
  if (password === undefined)
    return (
      <div>
        {image.has_password && (
          <Text size="sm" mb={6}>
            {t('details.protected')}
          </Text>
        )}
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setPassword('')}>
            {t(image.has_password ? 'library.changePassword' : 'library.setPassword')}
          </Button>
          {image.has_password && (
            <Button size="xs" variant="default" aria-label={t('library.removePassword')} onClick={() => change({ access_password: null })}>
              {t('library.remove')}
            </Button>
          )}
        </Group>
      </div>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (password) change({ access_password: password });
        setPassword(undefined);
      }}
    >
      <AccessPasswordField
        {...ownEscape}
        description={t('library.passwordHint')}
        size="sm"
        value={password}
        ref={(field) => (password ? undefined : field?.focus())}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Group gap="xs" mt="xs">
        <Button type="submit" size="xs" disabled={!password}>
          {t('library.setPassword')}
        </Button>
        <Button size="xs" variant="default" onClick={() => setPassword(undefined)}>
          {t('common.cancel')}
        </Button>
      </Group>
    </form>
  );
}
