import { Alert, Button, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { isServed } from '#renderer/platform/bridge.ts';
import { Setting } from '../setting.tsx';
import { startAtLoginQuery } from './desktop.ts';
import type { SectionProps } from './section.ts';

/** When the app runs: from login, and while the computer would otherwise sleep. */
export function Startup({ bridge, preferences, change }: SectionProps) {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const queryClient = useQueryClient();
  const query = startAtLoginQuery(bridge);
  const { data: startAtLogin } = useQuery(query);
  const { mutate } = useMutation({
    mutationFn: (on: boolean) => bridge.setStartAtLogin(on),
    onSuccess: (on) => queryClient.setQueryData(query.queryKey, on),
    onError: (error) => notifyError(error),
  });
  return (
    <Setting title={t('computer.startup')} hint={t('computer.startupHint')}>
      {(id) => (
        <Stack gap="sm" role="group" aria-labelledby={id}>
          <Switch
            size="md"
            label={t('computer.startAtLogin')}
            description={startAtLogin === 'unavailable' && t('computer.loginUnavailable')}
            checked={startAtLogin === 'on' || startAtLogin === 'blocked'}
            disabled={startAtLogin === undefined || startAtLogin === 'unavailable'}
            onChange={(event) => mutate(event.currentTarget.checked)}
          />
          {startAtLogin === 'blocked' && (
            <Alert color="yellow" p="sm" role="status">
              {t(bridge.platform === 'darwin' ? 'computer.loginBlockedMac' : 'computer.loginBlockedWindows')}
              <Button mt="xs" size="compact-sm" variant="default" onClick={() => bridge.openLoginSettings().catch(notifyError)}>
                {t('computer.openLoginSettings')}
              </Button>
            </Alert>
          )}
          {isServed() && (
            <Switch
              size="md"
              label={t('computer.keepAwake')}
              description={t('computer.keepAwakeHint')}
              checked={preferences.keepAwake}
              onChange={(event) => change({ keepAwake: event.currentTarget.checked })}
            />
          )}
        </Stack>
      )}
    </Setting>
  );
}
