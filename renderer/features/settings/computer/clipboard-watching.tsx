import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { Setting } from '../setting.tsx';
import type { SectionProps } from './section.ts';

/** Whether copied pictures are uploaded automatically. */
export function ClipboardWatching({ preferences: { watchClipboard, clipboardWatchable }, change }: SectionProps) {
  const { t } = useTranslation();
  return (
    <Setting title={t('capture.watch')} hint={t('capture.watchHint')}>
      {(label) => (
        <>
          <Switch
            aria-labelledby={label}
            size="md"
            checked={watchClipboard && clipboardWatchable}
            disabled={!clipboardWatchable}
            onChange={(event) => change({ watchClipboard: event.currentTarget.checked })}
          />
          {!clipboardWatchable && (
            <Alert color="gray" mt="sm" p="sm">
              {t('capture.watchUnavailable')}
            </Alert>
          )}
        </>
      )}
    </Setting>
  );
}
