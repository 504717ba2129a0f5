import { Alert, Button, Group, Select, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CARD_CORNERS, CARD_SECONDS } from '#api/desktop/capture.ts';
import type { Preferences, TrayClick } from '#api/desktop/preferences.ts';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { Colours, Language } from '#renderer/features/settings/appearance-page.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
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

const CLICKS: readonly TrayClick[] = ['open', 'upload', 'capture', 'drop'];

/** What a click on the tray icon does, where it doesn't open the menu. */
export function TrayClicks({ preferences: { trayClick }, change }: SectionProps) {
  const { t } = useTranslation();
  return (
    <Setting title={t('computer.trayClick')}>
      {(label) => (
        <Select
          aria-labelledby={label}
          allowDeselect={false}
          value={trayClick}
          data={CLICKS.map((value) => ({ value, label: t(`computer.trayClicks.${value}`) }))}
          onChange={(value) => value && change({ trayClick: value as TrayClick })}
        />
      )}
    </Setting>
  );
}

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
          <Switches of={TYPES} preferences={preferences} change={change} />
        </Stack>
      )}
    </Setting>
  );
}

const CARDS = [
  ['captureCards', 'computer.cardCaptures'],
  ['uploadCards', 'computer.cardUploads'],
  ['folderCards', 'computer.cardFolders'],
] as const;

interface SwitchesProps extends Pick<SectionProps, 'preferences' | 'change'> {
  of: typeof TYPES | typeof CARDS;
  isOffered?: boolean;
}

/** A switch for each of several preferences. Those that aren't offered are off. */
function Switches({ of, isOffered = true, preferences, change }: SwitchesProps) {
  const { t } = useTranslation();
  return of.map(([name, label]) => (
    <Switch
      key={name}
      size="md"
      label={t(label)}
      checked={isOffered && preferences[name]}
      disabled={!isOffered}
      onChange={(event) => change({ [name]: event.currentTarget.checked })}
    />
  ));
}

/** What is shown on cards, where and how long. */
export function Cards({ preferences, change }: SectionProps) {
  const { t } = useTranslation();
  const { canFloat, cardCorner, cardSeconds } = preferences;
  return (
    <Setting title={t('computer.cards')} hint={t(canFloat ? 'computer.cardsHint' : 'computer.cardsUnavailable')}>
      {(id) => (
        <Stack gap="sm" role="group" aria-labelledby={id}>
          <Switches of={CARDS} isOffered={canFloat} preferences={preferences} change={change} />
          {canFloat && CARDS.some(([name]) => preferences[name]) && (
            <Group grow>
              <Select
                label={t('computer.cardCorner')}
                allowDeselect={false}
                value={cardCorner}
                data={CARD_CORNERS.map((value) => ({ value, label: t(`computer.cardCorners.${value}`) }))}
                onChange={(value) => value && change({ cardCorner: value as Preferences['cardCorner'] })}
              />
              <Select
                label={t('computer.cardTime')}
                allowDeselect={false}
                value={String(cardSeconds)}
                data={CARD_SECONDS.map((count) => ({
                  value: String(count),
                  label: count === 0 ? t('computer.cardStays') : t('computer.cardSeconds', { count }),
                }))}
                onChange={(value) => value && change({ cardSeconds: Number(value) as Preferences['cardSeconds'] })}
              />
            </Group>
          )}
        </Stack>
      )}
    </Setting>
  );
}

/** Colours and language of a joined app. Where it hosts, those of its page apply, which have a page of their own. */
export function Appearance({ preferences: { theme, language }, change }: SectionProps) {
  return (
    <>
      <Colours value={theme === 'system' ? 'auto' : theme} onChange={(value) => change({ theme: value === 'auto' ? 'system' : value })} />
      <Language
        value={language === 'system' ? 'auto' : language}
        onChange={(value) => change({ language: value === 'auto' ? 'system' : value })}
      />
    </>
  );
}
