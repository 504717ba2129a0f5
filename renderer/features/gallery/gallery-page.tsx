import { Button, Text } from '@mantine/core';
import { IconPhoto, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { EmptyState } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { pasteKeys } from '#renderer/platform/clipboard.ts';
import { isTouch } from '#renderer/platform/touch.ts';
import { profileQuery } from '#renderer/service/account.ts';
import { limitsQuery } from '#renderer/service/queries.ts';
import { useWhoCanOpen } from '#renderer/service/reach.ts';
import { useChooseFiles } from '#renderer/upload/sources/intake.tsx';
import classes from './gallery.module.css';
import { Gallery } from './gallery.tsx';

/** All images of the signed-in user. */
export function GalleryPage() {
  const { t } = useTranslation();
  usePageTitle(t('nav.pictures'));
  return <Gallery title={t('nav.pictures')} empty={<EmptyGallery />} />;
}

/** The gallery without a picture. Storage is in use if there are some in the trash. */
function EmptyGallery() {
  const { t } = useTranslation();
  const choose = useChooseFiles();
  const { data: limits } = useQuery(limitsQuery);
  const { data: profile } = useQuery(profileQuery);
  const whoCanOpen = useWhoCanOpen();
  const opens = t('opens.sentence', { who: whoCanOpen(profile?.preferences.visibility ?? 'public') });
  const title = t(limits?.storage_used_bytes ? 'gallery.noneTitle' : 'gallery.emptyTitle');
  return (
    <EmptyState art={<Frames />} title={title} text={t(isTouch() ? 'gallery.emptyTextTouch' : 'gallery.emptyText', { opens })}>
      <Button size="md" mt="md" leftSection={<IconUpload size={18} />} onClick={choose}>
        {t('gallery.emptyChoose')}
      </Button>
      <Text size="sm" c="dimmed" className={classes.pasteHint}>
        {t('gallery.emptyPaste', { keys: pasteKeys() })}
      </Text>
    </EmptyState>
  );
}

function Frames() {
  return (
    <div className={classes.frames} aria-hidden="true">
      <span />
      <span />
      <span>
        <IconPhoto size={40} stroke={1.4} />
      </span>
    </div>
  );
}
