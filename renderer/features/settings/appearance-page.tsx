import { type MantineColorScheme, SegmentedControl, Select, Switch, Text, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { WEB_LINK_FORMATS, type WebLinkFormat } from '#api/link-formats.ts';
import { useNotifyError } from '#renderer/components/notice.tsx';
import { LANGUAGES, type LanguageChoice } from '#renderer/preference-values.ts';
import { setPreferences, usePreferences } from '#renderer/preferences.ts';
import { profileQuery, useChooseLinkFormat, useLinkFormat } from '#renderer/service/account.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { exampleLink } from './example-link.ts';
import { Setting } from './setting.tsx';
import classes from './settings.module.css';

export function AppearancePage() {
  const { t } = useTranslation();
  return (
    <div>
      <Colours />
      <LanguageSetting />
      <LinkSetting />
      <CopySetting />
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
    <Setting title={t('preferences.colours')} hint={t('preferences.coloursHint')}>
      {(label) => (
        <SegmentedControl
          fullWidth
          aria-labelledby={label}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
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

function LinkSetting() {
  const { t } = useTranslation();
  const linkFormat = useLinkFormat();
  const { isPending } = useQuery(profileQuery);
  const choose = useChooseLinkFormat(useNotifyError());
  const { data: config } = useQuery(configQuery);
  return (
    <Setting title={t('preferences.linkFormat')} hint={t('preferences.linkFormatHint')}>
      {(label) => (
        <>
          <Select
            aria-labelledby={label}
            allowDeselect={false}
            disabled={isPending}
            value={linkFormat}
            onChange={(value) => value && choose(value as WebLinkFormat)}
            data={WEB_LINK_FORMATS.map((value) => ({ value, label: t(`links.${value}`) }))}
          />
          <code className={classes.example}>{exampleLink(linkFormat, config?.base_url ?? location.origin)}</code>
        </>
      )}
    </Setting>
  );
}

function CopySetting() {
  const { t } = useTranslation();
  const { copyAfterUpload } = usePreferences();
  return (
    <Setting title={t('preferences.copyAfterUpload')} hint={t('preferences.copyAfterUploadHint')}>
      {(label) => (
        <Switch
          aria-labelledby={label}
          size="md"
          checked={copyAfterUpload}
          onChange={(event) => setPreferences({ copyAfterUpload: event.currentTarget.checked })}
        />
      )}
    </Setting>
  );
}
