import { ActionIcon, Menu } from '@mantine/core';
import { IconDotsVertical, IconReplace } from '@tabler/icons-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images/images.ts';
import { actionProps } from '#renderer/images/viewer/viewer-frame.tsx';
import { load } from '#renderer/service/connection.ts';
import { ownEscape } from './own-escape.ts';

const ReplaceDialog = lazy(() =>
  load(() => import('#renderer/editor/save/replace-dialog.tsx')).then((module) => ({ default: module.ReplaceDialog })),
);

/** The viewer's menu with what is seldom needed: another file for the image. */
export function MoreMenu({ image }: { image: Image }) {
  const { t } = useTranslation();
  const picker = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState(false);
  const [file, setFile] = useState<File>();
  return (
    <>
      <Menu position="bottom-end" opened={opened} onChange={setOpened}>
        <Menu.Target>
          <ActionIcon {...actionProps(t('picture.more'))} {...(opened && ownEscape)}>
            <IconDotsVertical size={20} stroke={1.8} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown {...ownEscape}>
          <Menu.Item
            {...ownEscape}
            leftSection={<IconReplace size={18} stroke={1.7} aria-hidden />}
            onClick={() => picker.current?.click()}
          >
            {t('picture.replaceWith')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <input
        ref={picker}
        type="file"
        hidden
        accept="image/*,.heic,.heif,.avif"
        aria-label={t('picture.replaceWith')}
        onChange={(event) => {
          setFile(event.currentTarget.files?.[0]);
          // Lets the same file be chosen again.
          event.currentTarget.value = '';
        }}
      />
      <Suspense>{file && <ReplaceDialog image={image} file={file} onClose={() => setFile(undefined)} />}</Suspense>
    </>
  );
}
