import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconCopy,
  IconDotsVertical,
  IconExternalLink,
  IconHistory,
  IconPhotoStar,
  IconPhotoVideo,
  IconReplace,
  IconSend,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import type { Image } from '#api/images/images.ts';
import { albumsQuery } from '#renderer/albums/albums.ts';
import { LaterSendDialog } from '#renderer/albums/sending/later-send-dialog.tsx';
import { useSetCover } from '#renderer/albums/set-cover.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { ownEscape } from '#renderer/components/own-escape.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { originalSrc } from '#renderer/images/address.ts';
import { only } from '#renderer/images/list/batch.ts';
import { actionProps } from '#renderer/images/viewer/viewer-frame.tsx';
import { canCopyPictures, copyPixels } from '#renderer/platform/clipboard.ts';
import { load } from '#renderer/service/connection.ts';
import { acceptedBy, useUploadLimits } from '#renderer/upload/limits.ts';
import { useSetPoster } from './use-set-poster.ts';

const ReplaceDialog = lazy(() =>
  load(() => import('#renderer/editor/save/replace-dialog.tsx')).then((module) => ({ default: module.ReplaceDialog })),
);
const VersionsDialog = lazy(() =>
  load(() => import('#renderer/editor/save/versions-dialog.tsx')).then((module) => ({ default: module.VersionsDialog })),
);

/** Albums that the menu has room for; others offer it on their own pages. */
const MAX_COVERS = 5;

/** How the icons of the menu look. */
export const MENU_ICON = { size: 18, stroke: 1.7, 'aria-hidden': true };

/** The viewer's menu with what is seldom needed. */
export function MoreMenu({ image, children }: { image: Image; children?: ReactNode }) {
  const { t } = useTranslation();
  const picker = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState(false);
  const [file, setFile] = useState<File>();
  const [comparing, setComparing] = useState(false);
  const [sending, setSending] = useState(false);
  const notifyError = useNotifyError();
  const setCover = useSetCover();
  const limits = useUploadLimits();
  const setPoster = useSetPoster(image);
  const { data: albums = [] } = useQuery({ ...albumsQuery, enabled: image.albums.length > 0 });
  const albumsOf = (one: Image) => albums.filter(({ id }) => one.albums.includes(id)).slice(0, MAX_COVERS);
  const copyPicture = () =>
    copyPixels(originalSrc(image)).then(
      () => notifications.show({ color: 'petrol.7', title: t('viewer.pictureCopied'), message: image.name, autoClose: 2500 }),
      () => notifyError(undefined, t('viewer.pictureNotCopied')),
    );
  return (
    <>
      <Menu position="bottom-end" opened={opened} onChange={setOpened}>
        <Menu.Target>
          <ActionIcon {...actionProps(t('picture.more'))} {...(opened && ownEscape)}>
            <IconDotsVertical size={20} stroke={1.8} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown {...ownEscape}>
          <Menu.Item {...ownEscape} leftSection={<IconSend {...MENU_ICON} />} onClick={() => setSending(true)}>
            {t('sentPictures.send')}
          </Menu.Item>
          {image.kind === 'video' ? (
            <Menu.Item {...ownEscape} leftSection={<IconPhotoVideo {...MENU_ICON} />} onClick={setPoster}>
              {t(image.has_poster ? 'viewer.useFrame' : 'viewer.makeThumbnail')}
            </Menu.Item>
          ) : (
            canCopyPictures() && (
              <Menu.Item {...ownEscape} leftSection={<IconCopy {...MENU_ICON} />} onClick={() => void copyPicture()}>
                {t('viewer.copyPicture')}
              </Menu.Item>
            )
          )}
          <Menu.Item
            {...ownEscape}
            leftSection={<IconExternalLink {...MENU_ICON} />}
            component="a"
            href={originalSrc(image)}
            target="_blank"
            rel="noreferrer"
          >
            {t('share.original')}
          </Menu.Item>
          {albumsOf(image).map(({ id, name }) => (
            <Menu.Item key={id} {...ownEscape} leftSection={<IconPhotoStar {...MENU_ICON} />} onClick={() => setCover(id, image)}>
              {image.albums.length > 1 ? t('albums.useAsCoverOf', { name }) : t('albums.useAsCover')}
            </Menu.Item>
          ))}
          {children}
          {image.replaced_at !== null && (
            <Menu.Item {...ownEscape} leftSection={<IconHistory {...MENU_ICON} />} onClick={() => setComparing(true)}>
              {t('picture.compare')}
            </Menu.Item>
          )}
          <Menu.Item {...ownEscape} leftSection={<IconReplace {...MENU_ICON} />} onClick={() => picker.current?.click()}>
            {t('picture.replaceWith')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <input
        ref={picker}
        type="file"
        hidden
        accept={acceptedBy(limits)}
        aria-label={t('picture.replaceWith')}
        onChange={(event) => {
          setFile(event.currentTarget.files?.[0]);
          // Lets the same file be chosen again.
          event.currentTarget.value = '';
        }}
      />
      {sending && <LaterSendDialog target={only([image])} onClose={() => setSending(false)} />}
      <Suspense>{comparing && <VersionsDialog image={image} onClose={() => setComparing(false)} />}</Suspense>
      <Suspense>{file && <ReplaceDialog image={image} file={file} onClose={() => setFile(undefined)} />}</Suspense>
    </>
  );
}
