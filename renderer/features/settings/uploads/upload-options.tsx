import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { Setting } from '#renderer/features/settings/setting.tsx';
import { setPreferences, usePreferences } from '#renderer/preferences/preferences.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import { rememberedFields } from '#renderer/upload/options/remembered-fields.ts';
import { useOptionsLine } from '#renderer/upload/options/use-options-line.ts';

/** Whether each upload waits for its options; stored in this browser. */
export function AskSetting() {
  const { t } = useTranslation();
  const { askOptions } = usePreferences();
  return (
    <Setting title={t('batch.asks')} hint={t('batch.asksHint')}>
      {(label) => (
        <Switch
          aria-labelledby={label}
          size="md"
          checked={askOptions}
          onChange={(event) => setPreferences({ askOptions: event.currentTarget.checked })}
        />
      )}
    </Setting>
  );
}

/** The options that this browser adds to each upload, if there are any. */
export function KeptOptions() {
  const { t } = useTranslation();
  const { uploadOptions } = usePreferences();
  const { data: session } = useQuery(sessionQuery);
  const fields = rememberedFields(uploadOptions, session?.user?.id);
  const line = useOptionsLine(fields);
  if (!Object.keys(fields).length) return null;
  return (
    <Setting title={t('batch.kept')} hint={t('batch.keptHint')}>
      {() => (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{line ?? t(fields.visibility === 'private' ? 'details.private' : 'details.public')}</Text>
          <Button size="xs" variant="default" onClick={() => setPreferences({ uploadOptions: null })}>
            {t('batch.keptRemove')}
          </Button>
        </Group>
      )}
    </Setting>
  );
}
