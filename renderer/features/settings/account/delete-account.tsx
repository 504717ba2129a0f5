import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '#api/auth/auth.ts';
import { TRASH_DAYS } from '#api/constants.ts';
import { useConfirmName } from '#renderer/components/forms/confirm-name.tsx';
import { FormDialog, useDraft } from '#renderer/components/forms/form.tsx';
import { Setting } from '#renderer/features/settings/setting.tsx';
import { client } from '#renderer/service/client.ts';
import { useEndOwnSession } from '#renderer/service/sign-out.ts';
import { CurrentPassword } from './current-password.tsx';

/** Deletes the user's own account; not for the owner. */
export function DeleteAccount({ user }: { user: User }) {
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
    notifications.show({ color: 'petrol.7', message: t('accountDeletion.done'), autoClose: false });
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
