import { Button, Group, Modal, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '#renderer/components/copy-button.tsx';
import classes from './admin.module.css';

interface Props {
  title: string;
  text: string;
  secret: string;
  /** What is copied, for people who do not see it. */
  label: string;
  onClose: () => void;
}

/** A text that exists this once. Only its button closes it: a slip must not lose it. */
export function ShownOnce({ title, text, secret, label, onClose }: Props) {
  const { t } = useTranslation('admin');
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} closeOnEscape={false} withCloseButton={false} size="lg" title={title}>
      <Text size="sm" mb="sm">
        {text}
      </Text>
      <div className={classes.copyable}>
        <code data-testid="shown-once">{secret}</code>
        <CopyButton wide text={secret} label={label} />
      </div>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t('stored')}
        </Button>
      </Group>
    </Modal>
  );
}
