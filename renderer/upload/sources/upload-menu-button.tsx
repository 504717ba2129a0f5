import { ActionIcon } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { PopupButton } from '#renderer/components/popup-button.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';

const getMenu = async () => (await import('./upload-menu.tsx')).UploadMenu;

/** Opens the menu of the other ways to upload, beside the button that opens the file dialog. */
export function UploadMenuButton({ className }: { className: string | undefined }) {
  const { t } = useTranslation();
  return (
    <PopupButton
      get={getMenu}
      kind="menu"
      popup={{}}
      button={(props) => (
        <ActionIcon className={className} variant="filled" aria-label={t('batch.more')} title={t('batch.more')} {...props}>
          <IconChevronDown size={18} aria-hidden />
        </ActionIcon>
      )}
    />
  );
}
