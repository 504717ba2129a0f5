import { IconCheck, IconCopy, IconLink } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button, IconButton } from '#renderer/plain/button.tsx';
import { useCopy } from './copy-context.ts';

interface Props {
  text: string;
  /** Describes what is copied, for screen readers. */
  label: string;
  /** Shows a button with text instead of an icon. */
  wide?: boolean;
  /** The button's text, where “Copy” isn't enough. */
  words?: string;
  /** Whether it is a link, which has an icon of its own wherever it is copied. */
  isLink?: boolean;
}

/** Copies a text and briefly confirms it. */
export function CopyButton({ text, label, wide, words, isLink }: Props) {
  const { t } = useTranslation();
  const copy = useCopy();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1800);
    return () => clearTimeout(timer);
  }, [copied]);
  const press = async () => {
    if (await copy(text)) setCopied(true);
  };
  const Icon = copied ? IconCheck : isLink ? IconLink : IconCopy;
  const icon = <Icon size={18} />;
  if (wide)
    return (
      <Button icon={icon} onClick={press} aria-label={label}>
        {copied ? t('links.copied') : (words ?? t('links.copy'))}
      </Button>
    );
  return (
    <IconButton label={label} title={copied ? t('links.copied') : label} onClick={press} data-copied={copied || undefined}>
      {icon}
    </IconButton>
  );
}
