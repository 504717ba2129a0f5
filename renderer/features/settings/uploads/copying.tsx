import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ACCOUNT_LINK_FORMATS, type AccountLinkFormat, styledLinks } from '#api/sharing/link-formats.ts';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { Setting } from '#renderer/features/settings/setting.tsx';
import classes from '#renderer/features/settings/settings.module.css';
import { useTranslation } from '#renderer/i18n/t.ts';
import { setPreferences, usePreferences } from '#renderer/preferences/preferences.ts';
import { profileQuery, useChangeLinkStyle, useLinkStyle } from '#renderer/service/account.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { sampleImages } from './example-link.ts';
import { Template } from './template.tsx';

/** How copied links are written, with an example. */
export function LinkSetting() {
  const { data: profile } = useQuery(profileQuery);
  // The field for the template begins with the account's.
  return <LinkFields key={String(!profile)} isLoading={!profile} />;
}

function LinkFields({ isLoading }: { isLoading: boolean }) {
  const { t } = useTranslation();
  const style = useLinkStyle();
  const [template, setTemplate] = useState(style.template);
  const change = useChangeLinkStyle(useNotifyError());
  const { data: config } = useQuery(configQuery);
  return (
    <Setting title={t('preferences.linkFormat')} hint={t('preferences.linkFormatHint')}>
      {(label) => (
        <>
          <Select
            aria-labelledby={label}
            allowDeselect={false}
            disabled={isLoading}
            value={style.format}
            onChange={(value) => value && change({ format: value as AccountLinkFormat, template: style.template })}
            data={ACCOUNT_LINK_FORMATS.map((value) => ({ value, label: t(value === 'custom' ? 'capture.customLink' : `links.${value}`) }))}
          />
          {style.format === 'custom' && (
            <Template value={template} onChange={setTemplate} save={(text) => change({ format: 'custom', template: text })} />
          )}
          <code className={classes.example}>
            {styledLinks(sampleImages(config?.base_url ?? location.origin).slice(0, 1), { ...style, template })}
          </code>
        </>
      )}
    </Setting>
  );
}

/** Whether links are copied once an upload is finished; stored in this browser. */
export function CopySetting() {
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
