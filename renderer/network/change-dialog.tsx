import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';

interface Props {
  title: string;
  submit: string;
  /** The change breaks links. */
  dangerous?: boolean;
  change: { isPending: boolean; error: Error | null; mutate(): void };
  disabled: boolean;
  onClose(): void;
  children: ReactNode;
}

/** A dialog for a change that the app itself makes: its refusals are sentences already. */
export function ChangeDialog({ title, submit, dangerous, change, disabled, onClose, children }: Props) {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!disabled && !change.isPending) change.mutate();
        }}
      >
        <Stack>
          {children}
          {change.error && (
            <Alert color="red" p="sm" role="alert">
              {change.error.message}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" color={dangerous ? 'red' : undefined} loading={change.isPending} disabled={disabled}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
