import { Alert, Button, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '#api/auth/auth.ts';
import type { SignOnLinks } from '#api/auth/oidc.ts';
import { FormDialog, useDraft } from '#renderer/components/forms/form.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { ErrorNotice, useNotifyError } from '#renderer/components/notices/notice.tsx';
import { Setting } from '#renderer/features/settings/setting.tsx';
import classes from '#renderer/features/settings/settings.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { desktopBridge } from '#renderer/platform/bridge.ts';
import { client } from '#renderer/service/client.ts';
import { CurrentPassword } from './current-password.tsx';

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
              <Linked key={link.id} link={link} />
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
  const link = useMutation({
    mutationFn: (current_password: string | undefined) => client.call('POST /user/sign-on', { body: { current_password } }),
    onSuccess: ({ url }) => window.location.assign(url),
    // Keep passwords out of the cache.
    gcTime: 0,
  });
  const { draft, changed, text } = useDraft({ current_password: '' }, link.error);
  return (
    <FormDialog
      title={t('signOn.linkTitle')}
      submit={t('signOn.continue')}
      change={link}
      changed={changed && !link.isSuccess}
      onClose={onClose}
      onSubmit={() => link.mutate(user.has_password ? draft.current_password : undefined)}
    >
      <Text size="sm">{t('signOn.linkText')}</Text>
      <CurrentPassword user={user} data-autofocus {...text('current_password')} />
    </FormDialog>
  );
}

function Linked({ link: { id, issuer, created_at } }: { link: SignOnLinks['links'][number] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const notifyError = useNotifyError();
  const unlink = useMutation({
    mutationFn: () => client.call('DELETE /user/sign-on/:id', { params: { id } }),
    onSuccess: () => notifications.show({ color: 'petrol.7', title: t('signOn.unlinked'), message: undefined, autoClose: 3000 }),
    onError: (error) => notifyError(error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: QUERY.queryKey }),
  });
  const ask = () =>
    modals.openConfirmModal({
      title: t('signOn.unlinkTitle'),
      children: <Text size="sm">{t('signOn.unlinkText', { issuer })}</Text>,
      labels: { confirm: t('signOn.unlink'), cancel: t('common.cancel') },
      confirmProps: { color: 'red.8' },
      onConfirm: () => unlink.mutate(),
    });
  return (
    <div className={classes.value}>
      <div>
        {issuer}
        <p className={shared.facts}>{t('signOn.since', { date: format.date(created_at) })}</p>
      </div>
      <Button variant="default" size="xs" aria-label={t('signOn.unlinkOne', { issuer })} loading={unlink.isPending} onClick={ask}>
        {t('signOn.unlink')}
      </Button>
    </div>
  );
}
