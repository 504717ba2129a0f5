import { Button, Group, Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '#api/auth.ts';
import { ErrorNotice } from '#renderer/components/notice.tsx';
import { useExplain } from '#renderer/service/explain.ts';
import { useFaultFocus, useFieldError } from '#renderer/service/field-error.ts';
import { useChangePassword, useChangeProfile } from './account.ts';

/** What the service calls the fields. */
const NAMES = ['username', 'email', 'current_password', 'new_password'];

export type Field = 'username' | 'email' | 'password';

interface Props {
  /** What is to be changed; nothing closes the dialog. */
  field: Field | undefined;
  user: User;
  onClose: () => void;
}

export function ChangeAccount({ field, user, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Modal opened={field !== undefined} onClose={onClose} title={field && t(`profile.${field}Title`)}>
      {field && <Form field={field} user={user} onClose={onClose} />}
    </Modal>
  );
}

/** One field, and the password where the service wants it. */
function Form({ field, user, onClose }: Props & { field: Field }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const profile = useChangeProfile();
  const password = useChangePassword();
  const [value, setValue] = useState(field === 'password' ? '' : (user[field] ?? ''));
  const [current, setCurrent] = useState('');
  const error = profile.error ?? password.error;
  const fault = useFieldError(error);
  const form = useFaultFocus(error);
  const current_password = user.has_password ? current : undefined;
  const onSuccess = () => {
    onClose();
    const title = t(field === 'password' ? 'profile.passwordChanged' : 'profile.saved');
    notifications.show({ color: 'petrol.7', title, message: undefined, autoClose: 3000 });
  };
  const save = () => {
    if (field === 'password') password.mutate({ new_password: value, current_password }, { onSuccess });
    else if (field === 'email') profile.mutate({ email: value.trim() || null, current_password }, { onSuccess });
    else profile.mutate({ username: value.trim() }, { onSuccess });
  };
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack>
        {error && !NAMES.some(fault) && <ErrorNotice explanation={explain(error)} />}
        {field !== 'username' && user.has_password && (
          <PasswordInput
            label={t('profile.currentPassword')}
            error={fault('current_password')}
            visibilityToggleButtonProps={{ 'aria-label': t('auth.show') }}
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            data-autofocus
          />
        )}
        {field === 'password' ? (
          <PasswordInput
            label={t('profile.newPassword')}
            error={fault('new_password')}
            visibilityToggleButtonProps={{ 'aria-label': t('auth.show') }}
            description={t('auth.passwordHint')}
            autoComplete="new-password"
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
        ) : (
          <TextInput
            label={t(`account.${field}`)}
            error={fault(field)}
            description={field === 'email' ? t('profile.emailHint') : undefined}
            type={field === 'email' ? 'email' : 'text'}
            autoComplete={field}
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
            data-autofocus={field === 'username' || undefined}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={profile.isPending || password.isPending}>
            {t('profile.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
