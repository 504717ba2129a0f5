import { ActionIcon, Menu } from '@mantine/core';
import { IconAdjustments, IconChevronDown, IconFolderUp, IconLink, IconPhotoUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useIntake } from './intake.tsx';

/** The other ways to upload, beside the button that opens the file dialog. */
export function UploadMenu({ className }: { className: string | undefined }) {
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
      <Menu.Target>
        <ActionIcon className={className} variant="filled" aria-label={t('batch.more')} title={t('batch.more')}>
          <IconChevronDown size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
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
