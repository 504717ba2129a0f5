import { Textarea } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { MAX_TEMPLATE_LENGTH, PLACEHOLDERS, unknownPlaceholders } from '#api/sharing/link-template.ts';
import classes from '#renderer/features/settings/settings.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';

/** Milliseconds after the last key press until a template is saved. */
const SAVE_DELAY = 400;

interface TemplateProps {
  value: string;
  onChange(text: string): void;
  /** Called a moment after the last change, unless the template is empty. */
  save(text: string): void;
}

/** The field for the template of links. */
export function Template({ value, onChange, save }: TemplateProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const saveSoon = useDebouncedCallback(save, { delay: SAVE_DELAY, flushOnUnmount: true });
  const unknown = unknownPlaceholders(value);
  const problem = !value.trim()
    ? t('capture.templateEmpty')
    : unknown.length > 0 && t('capture.unknownPlaceholders', { unknown: format.list(unknown) });
  return (
    <Textarea
      mt="sm"
      label={t('capture.template')}
      description={t('capture.templateHint', { placeholders: PLACEHOLDERS.map((word) => `{${word}}`).join(' ') })}
      classNames={{ input: classes.code ?? '' }}
      error={problem}
      maxLength={MAX_TEMPLATE_LENGTH}
      autosize
      minRows={1}
      maxRows={6}
      spellCheck={false}
      value={value}
      onChange={({ currentTarget: { value: text } }) => {
        onChange(text);
        if (text.trim()) saveSoon(text);
      }}
    />
  );
}
