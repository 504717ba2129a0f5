import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TrayClick } from '#api/desktop/preferences.ts';
import { Setting } from '../setting.tsx';
import type { SectionProps } from './section.ts';

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
