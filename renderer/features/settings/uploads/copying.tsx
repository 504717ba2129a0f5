import { Select, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { WEB_LINK_FORMATS, type WebLinkFormat } from '#api/sharing/link-formats.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { Setting } from '#renderer/features/settings/setting.tsx';
import classes from '#renderer/features/settings/settings.module.css';
import { setPreferences, usePreferences } from '#renderer/preferences/preferences.ts';
import { profileQuery, useChooseLinkFormat, useLinkFormat } from '#renderer/service/account.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { exampleLink } from './example-link.ts';

/** The format of copied links, with an example. */
export function LinkSetting() {
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
