import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '#api/auth/auth.ts';
import { addressOf } from '#api/client.ts';
import { TRASH_DAYS } from '#api/constants.ts';
import { useConfirmName } from '#renderer/components/forms/confirm-name.tsx';
import { FormDialog, useDraft } from '#renderer/components/forms/form.tsx';
import { Setting } from '#renderer/features/settings/setting.tsx';
import classes from '#renderer/features/settings/settings.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import { useEndOwnSession } from '#renderer/service/sign-out.ts';
import { ChangeAccount, type Field } from './change-account.tsx';
import { ChangeAvatar } from './change-avatar.tsx';
import { CurrentPassword } from './current-password.tsx';
import { Passkeys } from './passkeys.tsx';
import { LinkResult, SignOn } from './sign-on.tsx';
import { TwoFactor } from './two-factor.tsx';

export function AccountPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: session } = useQuery(sessionQuery);
  const [changing, setChanging] = useState<Field>();
  const user = session?.user;
  if (!user) return null;
  const role = user.is_owner ? t('account.owner') : user.role === 'admin' ? t('account.admin') : t('account.user');
  const changeable = (field: Field, name: string, value: string) => (
    <div className={classes.value}>
      {value}
      <Button variant="default" size="xs" aria-label={format.labelled(t('profile.edit'), name)} onClick={() => setChanging(field)}>
        {t('profile.edit')}
      </Button>
    </div>
  );
  return (
    <div>
      <LinkResult />
      <Setting title={t('avatar.title')} hint={t('avatar.hint')}>
        {(label) => <ChangeAvatar user={user} label={label} />}
      </Setting>
      <Setting title={t('account.username')}>{() => changeable('username', t('account.username'), user.username)}</Setting>
      <Setting title={t('account.email')}>{() => changeable('email', t('account.email'), user.email ?? t('account.noEmail'))}</Setting>
      <Setting title={t('profile.password')} hint={t(user.has_password ? 'profile.passwordHint' : 'profile.noPasswordHint')}>
        {() => changeable('password', t('profile.password'), user.has_password ? '••••••••' : t('account.noEmail'))}
      </Setting>
      <TwoFactor user={user} />
      <Passkeys user={user} />
      <SignOn user={user} />
      <Setting title={t('account.role')}>{() => role}</Setting>
      <Setting title={t('account.since')}>{() => format.date(user.created_at)}</Setting>
      <Setting title={t('profile.export')} hint={t('profile.exportHint')}>
        {() => (
          <Button
            component="a"
            href={addressOf('GET /user/export', {})}
            download
            variant="default"
            leftSection={<IconDownload size={18} />}
          >
            {t('profile.exportButton')}
          </Button>
        )}
      </Setting>
      <DeleteAccount user={user} />
      {changing && <ChangeAccount field={changing} user={user} onClose={() => setChanging(undefined)} />}
    </div>
  );
}

/** Deletes the user's own account; not for the owner. */
function DeleteAccount({ user }: { user: User }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  if (user.is_owner) return null;
  return (
    <Setting title={t('accountDeletion.title')} hint={t('accountDeletion.hint', { days: TRASH_DAYS })}>
      {() => (
        <>
          <Button variant="default" c="var(--mantine-color-error)" onClick={() => setAsking(true)}>
            {t('accountDeletion.title')}
          </Button>
          {asking && <DeleteDialog user={user} onClose={() => setAsking(false)} />}
        </>
      )}
    </Setting>
  );
}

function DeleteDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation();
  const remove = useEndOwnSession(async (current_password: string | undefined) => {
    await client.call('DELETE /user', { body: { current_password } });
    notifications.show({ color: 'petrol.7', message: t('accountDeletion.done'), autoClose: false, 'data-outlives-session': true });
  });
  const { draft, changed, text } = useDraft({ current_password: '' }, remove.error);
  const name = useConfirmName(user.username);
  const submit = () => name.confirmed() && remove.mutate(user.has_password ? draft.current_password : undefined);
  return (
    <FormDialog
      title={t('accountDeletion.question')}
      submit={t('accountDeletion.title')}
      danger
      change={remove}
      changed={(changed || name.typed) && !remove.isPending && !remove.isSuccess}
      onClose={onClose}
      onSubmit={submit}
    >
      <Text size="sm">{t('accountDeletion.text', { days: TRASH_DAYS })}</Text>
      <Text size="sm">{t('accountDeletion.export')}</Text>
      {name.field}
      <CurrentPassword user={user} {...text('current_password')} />
    </FormDialog>
  );
}
