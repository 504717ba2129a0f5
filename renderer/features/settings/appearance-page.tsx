import { type MantineColorScheme, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from '#renderer/i18n/t.ts';
import { sendToDesktop } from '#renderer/platform/bridge.ts';
import { LANGUAGES, type LanguageChoice } from '#renderer/preferences/preference-values.ts';
import { setPreferences, usePreferences } from '#renderer/preferences/preferences.ts';
import { Setting } from './setting.tsx';

export function AppearancePage() {
  const { t } = useTranslation();
  return (
    <div>
      <Colours />
      <LanguageSetting />
      <Text size="xs" c="dimmed" mt="lg">
        {t('preferences.stored')}
      </Text>
    </div>
  );
}

function Colours() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Setting title={t('preferences.colours')}>
      {(label) => (
        <SegmentedControl
          fullWidth
          aria-labelledby={label}
          value={colorScheme}
          onChange={(value) => {
            const colours = value as MantineColorScheme;
            setColorScheme(colours);
            void sendToDesktop({ colours });
          }}
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

function LanguageSetting() {
  const { t } = useTranslation();
  const { language } = usePreferences();
  return (
    <Setting title={t('preferences.language')}>
      {(label) => (
        <SegmentedControl<LanguageChoice>
          fullWidth
          aria-labelledby={label}
          value={language}
          onChange={(value) => setPreferences({ language: value })}
          data={LANGUAGES.map((value) => ({ value, label: value === 'auto' ? t('preferences.languageAuto') : LANGUAGE_NAMES[value] }))}
        />
      )}
    </Setting>
  );
}
