import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from './copying.tsx';

interface Props {
  text: string;
  /** Describes what is copied, for screen readers. */
  label: string;
  /** Shows a button with text instead of an icon. */
  wide?: boolean;
  /** The button's text, where “Copy” isn't enough. */
  words?: string;
}

/** Copies a text and briefly confirms it. */
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
