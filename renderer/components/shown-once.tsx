import { Button, Group, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from '#renderer/components/copying/copy-button.tsx';
import shared from '#renderer/components/layout/rows.module.css';

interface Props {
  title: string;
  text: string;
  secret: string;
  /** Names the copied text for screen readers. */
  label: string;
  /** The button that closes the dialog. */
  done: string;
  onClose: () => void;
  children?: ReactNode;
}

/** Shows a secret that can't be shown again. Only the button closes the dialog, so that a stray click doesn't lose it. */
export function ShownOnce({ title, text, secret, label, done, onClose, children }: Props) {
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} closeOnEscape={false} withCloseButton={false} size="lg" title={title}>
      <Text size="sm" mb="sm">
        {text}
      </Text>
      <div className={shared.copyable}>
        <code data-testid="shown-once">{secret}</code>
        <CopyButton wide text={secret} label={label} />
      </div>
      {children}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {done}
        </Button>
      </Group>
    </Modal>
  );
}
