import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { User } from '#api/auth/auth.ts';
import { FormDialog, useDraft } from '#renderer/components/forms/form.tsx';
import { CurrentPassword } from './current-password.tsx';

interface Props {
  user: User;
  title: string;
  submit: string;
  danger?: boolean;
  text?: string | undefined;
  /** Changes the account, with its password if it has one. Then it closes the dialog or leaves the page. */
  onConfirm: (current_password: string | undefined) => Promise<void>;
  onClose: () => void;
}

/** Asks for the password before the account is changed. */
export function PasswordDialog({ user, title, submit, danger = false, text, onConfirm, onClose }: Props) {
  // Keep passwords out of the cache.
  const change = useMutation({ mutationFn: onConfirm, gcTime: 0 });
  const { draft, changed, text: field } = useDraft({ current_password: '' }, change.error);
  return (
    <FormDialog
      title={title}
      submit={submit}
      danger={danger}
      change={change}
      changed={changed && !change.isSuccess}
      onClose={onClose}
      onSubmit={() => change.mutate(user.has_password ? draft.current_password : undefined)}
    >
      {text && <Text size="sm">{text}</Text>}
      <CurrentPassword user={user} data-autofocus {...field('current_password')} />
    </FormDialog>
  );
}
