import { type MantineColorScheme, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from '#renderer/i18n/t.ts';
import { desktopBridge, sendToDesktop } from '#renderer/platform/bridge.ts';
import { LANGUAGES, type LanguageChoice } from '#renderer/preferences/preference-values.ts';
import { setPreferences, usePreferences } from '#renderer/preferences/preferences.ts';
import { Setting } from './setting.tsx';

export function AppearancePage() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { language } = usePreferences();
  return (
    <div>
      <Colours
        value={colorScheme}
        onChange={(colours) => {
          setColorScheme(colours);
          void sendToDesktop({ colours });
        }}
      />
      <Language value={language} onChange={(value) => setPreferences({ language: value })} />
      <Text size="xs" c="dimmed" mt="lg">
        {t(desktopBridge() ? 'preferences.storedInApp' : 'preferences.stored')}
      </Text>
    </div>
  );
}

interface Props<T> {
  value: T;
  onChange(value: T): void;
}

export function Colours({ value, onChange }: Props<MantineColorScheme>) {
  const { t } = useTranslation();
  return (
    <Setting title={t('preferences.colours')}>
      {(label) => (
        <SegmentedControl<MantineColorScheme>
          fullWidth
          aria-labelledby={label}
          value={value}
          onChange={onChange}
          data={[
            { value: 'light', label: t('preferences.light') },
            { value: 'dark', label: t('preferences.dark') },
            { value: 'auto', label: t('preferences.system') },
          ]}
        />
      )}
    </Setting>
  );
}

/** In the language itself, so that users find theirs on a page that they can't read. */
const LANGUAGE_NAMES = { en: 'English', zh: '简体中文' } as const;

export function Language({ value, onChange }: Props<LanguageChoice>) {
  const { t } = useTranslation();
  const auto = t(desktopBridge() ? 'preferences.languageInApp' : 'preferences.languageAuto');
  return (
    <Setting title={t('preferences.language')}>
      {(label) => (
        <SegmentedControl<LanguageChoice>
          fullWidth
          aria-labelledby={label}
          value={value}
          onChange={onChange}
          data={LANGUAGES.map((choice) => ({ value: choice, label: choice === 'auto' ? auto : LANGUAGE_NAMES[choice] }))}
        />
      )}
    </Setting>
  );
}
