import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '#renderer/components/notice.tsx';
import { useExplain } from '#renderer/service/explain.ts';
import { isAbout, useFaultFocus } from '#renderer/service/field-error.ts';

interface Props {
  title: string;
  submit: string;
  size?: string;
  change: { isPending: boolean; error: unknown };
  /** Fields that say themselves what is wrong with them. */
  fields: readonly string[];
  onClose: () => void;
  onSubmit: () => void;
  children: ReactNode;
}

/** A question with fields; says at them, or else above them, what the service does not accept. Mounted only while it is open, so it starts afresh. */
export function FormDialog({ title, submit, size = 'md', change, fields, onClose, onSubmit, children }: Props) {
  const { t } = useTranslation('admin');
  const explain = useExplain();
  const form = useFaultFocus(change.error);
  return (
    <Modal opened onClose={onClose} title={title} size={size}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!change.isPending) onSubmit();
        }}
      >
        <Stack>
          {change.error !== null && !fields.some((field) => isAbout(change.error, field)) && (
            <ErrorNotice explanation={explain(change.error)} />
          )}
          {children}
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={change.isPending}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
