import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Image } from '#api/images/images.ts';
import { toSlug } from '#api/images/slug-rules.ts';
import { ownEscape } from '#renderer/components/own-escape.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useSlugCheck } from '#renderer/images/use-slug-check.ts';
import { configQuery } from '#renderer/service/queries.ts';
import type { Change } from './use-change.ts';

/** The address that an image's owner has chosen, checked while it is typed, and saved on Enter and when the field loses focus. */
export function CustomAddress({ image, change }: { image: Image; change: Change }) {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  const [typed, setTyped] = useState(image.slug ?? '');
  const slug = toSlug(typed);
  const unchanged = slug === (image.slug ?? '');
  const { problem, isFree } = useSlugCheck(slug, { key: image.key, enabled: !unchanged });
  if (!config?.custom_addresses_enabled && image.slug === null) return null;
  const save = () => {
    // A word still being checked is refused by the service if it is taken.
    if (!unchanged && !problem) change({ slug: slug === '' ? null : slug });
  };
  return (
    <TextInput
      {...ownEscape}
      label={t('picture.address')}
      description={t('picture.addressHint')}
      placeholder="release-notes"
      size="sm"
      spellCheck={false}
      autoCapitalize="none"
      value={typed}
      maxLength={63}
      error={problem && t(`picture.addressProblem.${problem}`)}
      rightSectionPointerEvents="none"
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      {...(isFree && { description: t('picture.addressFree') })}
    />
  );
}
