import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { Setting } from '../setting.tsx';
import type { SectionProps } from './section.ts';

const TYPES = [
  ['notifications', 'computer.notifyUploads'],
  ['failureNotifications', 'computer.notifyFailures'],
  ['folderNotifications', 'computer.notifyFolders'],
] as const;

/** Which notifications the app shows. */
export function Notifications({ preferences, change }: SectionProps) {
  const { t } = useTranslation();
  return (
    <Setting title={t('computer.notifications')} hint={t('computer.notificationsHint')}>
      {(id) => (
        <Stack gap="sm" role="group" aria-labelledby={id}>
          {TYPES.map(([name, label]) => (
            <Switch
              key={name}
              size="md"
              label={t(label)}
              checked={preferences[name]}
              onChange={(event) => change({ [name]: event.currentTarget.checked })}
            />
          ))}
        </Stack>
      )}
    </Setting>
  );
}
