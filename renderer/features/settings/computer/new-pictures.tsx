import { SegmentedControl, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AfterCapture } from '#api/desktop/preferences.ts';
import { Setting } from '../setting.tsx';
import type { SectionProps } from './section.ts';

const TRIGGERS = ['afterCapture', 'afterClipboard', 'afterDrop'] as const;
const CHOICES: readonly AfterCapture[] = ['upload', 'edit', 'ask'];

/** Whether new pictures are uploaded at once, or only after the user has seen them. */
export function NewPictures({ bridge, preferences, change }: SectionProps) {
  const { t } = useTranslation();
  const key = bridge.platform === 'darwin' ? '⌥' : 'Alt';
  return (
    <Setting title={t('capture.newPictures')} hint={t('capture.newPicturesHint', { key })}>
      {(label) =>
        TRIGGERS.map((trigger, index) => (
          <div key={trigger}>
            <Text size="sm" mt={index > 0 ? 'md' : undefined} id={`${label}-${trigger}`}>
              {t(`capture.${trigger}`)}
            </Text>
            <SegmentedControl<AfterCapture>
              fullWidth
              mt={4}
              aria-labelledby={`${label}-${trigger}`}
              value={preferences[trigger]}
              onChange={(value) => change({ [trigger]: value })}
              data={CHOICES.map((value) => ({ value, label: t(`capture.after.${value}`) }))}
            />
          </div>
        ))
      }
    </Setting>
  );
}
