import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Setting } from '#renderer/features/settings/setting.tsx';

interface Props {
  kept: boolean;
  onChange: (kept: boolean) => void;
}

/** Whether pictures keep their artist and copyright when their metadata is removed. */
export function CopyrightSetting({ kept, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Setting title={t('uploads.copyright')} hint={t('uploads.copyrightHint')}>
      {(label) => <Switch aria-labelledby={label} size="md" checked={kept} onChange={(event) => onChange(event.currentTarget.checked)} />}
    </Setting>
  );
}
