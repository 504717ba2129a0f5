import { Menu } from '@mantine/core';
import { IconAdjustments, IconFolderUp, IconLink, IconPhotoUp } from '@tabler/icons-react';
import type { PopupProps } from '#renderer/components/popup-button.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useIntake } from './intake.tsx';

/** The other ways to upload. */
export function UploadMenu({ button }: PopupProps) {
  const { t } = useTranslation();
  const { choose, chooseFolder, enterAddress } = useIntake();
  const entries = [
    { label: t('batch.menuChoose'), Icon: IconPhotoUp, run: () => choose() },
    { label: t('batch.menuOptions'), Icon: IconAdjustments, run: () => choose({ ask: true }) },
    { label: t('batch.menuFolder'), Icon: IconFolderUp, run: chooseFolder },
    { label: t('batch.menuAddress'), Icon: IconLink, run: () => enterAddress('') },
  ];
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {entries.map(({ label, Icon, run }) => (
          <Menu.Item key={label} leftSection={<Icon size={18} stroke={1.7} aria-hidden />} onClick={run}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
