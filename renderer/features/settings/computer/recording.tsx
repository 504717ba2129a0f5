import { SegmentedControl, Stack, Text } from '@mantine/core';
import { COUNTDOWNS, FRAME_RATES } from '#api/desktop/capture.ts';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Setting } from '../setting.tsx';
import type { SectionProps } from './section.ts';
import { RecordShortcut } from './shortcuts.tsx';

/** How the screen is recorded, and the shortcut for that. */
export function Recording(props: SectionProps) {
  const { preferences, change } = props;
  const { t } = useTranslation();
  const sounds = preferences.canRecordSound ? (['recordMicrophone', 'recordSound'] as const) : (['recordMicrophone'] as const);
  return (
    <>
      <RecordShortcut {...props} />
      <Setting title={t('capture.recordContent')} hint={t('capture.recordContentHint')}>
        {() => (
          <Stack gap="sm">
            {(['recordPointer', ...sounds] as const).map((name) => (
              <Switch
                key={name}
                size="md"
                label={t(`capture.${name}`)}
                checked={preferences[name]}
                onChange={(event) => change({ [name]: event.currentTarget.checked })}
              />
            ))}
            {!preferences.canRecordSound && (
              <Text size="xs" c="dimmed">
                {t('capture.recordSoundUnavailable')}
              </Text>
            )}
          </Stack>
        )}
      </Setting>
      <Setting title={t('capture.recordFrames')} hint={t('capture.recordFramesHint')}>
        {(label) => (
          <SegmentedControl
            fullWidth
            aria-labelledby={label}
            value={String(preferences.recordFrames)}
            onChange={(value) => change({ recordFrames: FRAME_RATES.find((rate) => String(rate) === value) ?? 30 })}
            data={FRAME_RATES.map(String)}
          />
        )}
      </Setting>
      <Setting title={t('capture.recordCountdown')} hint={t('capture.recordCountdownHint')}>
        {(label) => (
          <SegmentedControl
            fullWidth
            aria-labelledby={label}
            value={String(preferences.recordCountdown)}
            onChange={(value) => change({ recordCountdown: COUNTDOWNS.find((seconds) => String(seconds) === value) ?? 3 })}
            data={COUNTDOWNS.map((seconds) => ({
              value: String(seconds),
              label: seconds === 0 ? t('capture.noDelay') : t('capture.delaySeconds', { count: seconds }),
            }))}
          />
        )}
      </Setting>
    </>
  );
}
