import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from './copying.tsx';

interface Props {
  text: string;
  /** What is copied, for people who do not see what the button stands beside. */
  label: string;
  /** Draws a button with words instead of an icon. */
  wide?: boolean;
  /** What the words are, where «Copy» does not say enough. */
  words?: string;
}

/** Copies a text and shows for a moment that it has. */
export function CopyButton({ text, label, wide, words }: Props) {
  const { t } = useTranslation();
  const copy = useCopy();
  const [copied, setCopied] = useState(false);
  const { start } = useTimeout(() => setCopied(false), 1800);
  const press = async () => {
    if (!(await copy(text))) return;
    setCopied(true);
    start();
  };
  const icon = copied ? <IconCheck size={18} /> : <IconCopy size={18} />;
  if (wide)
    return (
      <Button leftSection={icon} onClick={press} aria-label={label}>
        {copied ? t('links.copied') : (words ?? t('links.copy'))}
      </Button>
    );
  return (
    <Tooltip label={copied ? t('links.copied') : label}>
      <ActionIcon variant="subtle" size="lg" aria-label={label} onClick={press} data-copied={copied || undefined}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
