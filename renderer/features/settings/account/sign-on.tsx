import { Alert, Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { User } from '#api/auth/auth.ts';
import type { SignOnLinks } from '#api/auth/oidc.ts';
import shared from '#renderer/components/layout/rows.module.css';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { Setting } from '#renderer/features/settings/setting.tsx';
import classes from '#renderer/features/settings/settings.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { desktopBridge } from '#renderer/platform/bridge.ts';
import { client } from '#renderer/service/client.ts';
import { PasswordDialog } from './password-dialog.tsx';

type Link = SignOnLinks['links'][number];

const QUERY = {
  queryKey: ['sign-on links'],
  queryFn: ({ signal }: { signal: AbortSignal }) => client.call('GET /user/sign-on', { signal }),
};

/** Links the account to single sign-on; nothing where that is turned off and nothing is linked. */
export function SignOn({ user }: { user: User }) {
  const { t } = useTranslation();
  const { data } = useQuery(QUERY);
  const [linking, setLinking] = useState(false);
  if (!data || !(data.available || data.links.length)) return null;
  const inApp = desktopBridge() !== undefined;
  return (
    <>
      <Setting title={t('signOn.title')} hint={t(data.available && inApp ? 'signOn.inBrowser' : 'signOn.hint')}>
        {() => (
          <div className={classes.links}>
            {data.links.map((link) => (
              <Linked key={link.id} user={user} link={link} />
            ))}
            {!data.links.length && <span>{t('signOn.none')}</span>}
            {data.available && !inApp && (
              <Button variant="default" size="xs" onClick={() => setLinking(true)}>
                {t('signOn.link')}
              </Button>
            )}
          </div>
        )}
      </Setting>
      {linking && <LinkDialog user={user} onClose={() => setLinking(false)} />}
    </>
  );
}

/** The result of a link, when the provider has just led back. */
export function LinkResult() {
  const { t } = useTranslation();
  const { linked, error } = useSearch({ from: '/member/settings/account' });
  if (error) return <ErrorNotice explanation={{ what: t(`auth.${error}.what`), next: t(`auth.${error}.next`) }} />;
  if (!linked) return null;
  return (
    <Alert role="status" color="teal" variant="light">
      <Text size="sm" c="var(--mantine-color-text)">
        {t('signOn.linked')}
      </Text>
    </Alert>
  );
}

function LinkDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation();
  const link = async (current_password: string | undefined) =>
    window.location.assign((await client.call('POST /user/sign-on', { body: { current_password } })).url);
  return (
    <PasswordDialog
      user={user}
      title={t('signOn.linkTitle')}
      submit={t('signOn.continue')}
      text={t('signOn.linkText')}
      onConfirm={link}
      onClose={onClose}
    />
  );
}

function Linked({ user, link }: { user: User; link: Link }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [unlinking, setUnlinking] = useState(false);
  const { issuer, created_at } = link;
  return (
    <div className={classes.value}>
      <div>
        {issuer}
        <p className={shared.facts}>{t('signOn.since', { date: format.date(created_at) })}</p>
      </div>
      <Button variant="default" size="xs" aria-label={t('signOn.unlinkOne', { issuer })} onClick={() => setUnlinking(true)}>
        {t('signOn.unlink')}
      </Button>
      {unlinking && <UnlinkDialog user={user} link={link} onClose={() => setUnlinking(false)} />}
    </div>
  );
}

function UnlinkDialog({ user, link: { id, issuer }, onClose }: { user: User; link: Link; onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const unlink = async (current_password: string | undefined) => {
    await client.call('DELETE /user/sign-on/:id', { params: { id }, body: { current_password } });
    notifications.show({ color: 'petrol.7', title: t('signOn.unlinked'), message: undefined, autoClose: 3000 });
    await queryClient.invalidateQueries({ queryKey: QUERY.queryKey });
    onClose();
  };
  return (
    <PasswordDialog
      user={user}
      title={t('signOn.unlinkTitle')}
      submit={t('signOn.unlink')}
      danger
      text={t('signOn.unlinkText', { issuer })}
      onConfirm={unlink}
      onClose={onClose}
    />
  );
}
