import { Skeleton, Text, Title } from '@mantine/core';
import { IconCloudUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { EmptyState } from '#renderer/components/notices/notice.tsx';
import { Questions } from '#renderer/components/notices/questions.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { shortcutLabel } from '#renderer/platform/accelerator.ts';
import { desktopBridge } from '#renderer/platform/bridge.ts';
import { desktopQuery } from '#renderer/service/desktop.ts';
import { useAppUploads } from '#renderer/upload/queue/app-uploads.ts';
import { UploadLists } from './upload-lists.tsx';
import classes from './uploads.module.css';

/** The desktop app's own uploads: waiting, failed and done. */
export function DesktopUploadsPage() {
  const bridge = desktopBridge();
  const { t } = useTranslation();
  usePageTitle(t('desktopUploads.title'));
  if (!bridge) return <EmptyState order={1} art={null} title={t('desktopUploads.title')} text={t('computer.onlyInApp')} />;
  return (
    <Questions>
      <Uploads bridge={bridge} />
    </Questions>
  );
}

function Uploads({ bridge }: { bridge: DesktopBridge }) {
  const { t } = useTranslation();
  const status = useAppUploads();
  if (!status) return <Skeleton height={240} m="xl" />;
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div>
          <Title order={1}>{t('desktopUploads.title')}</Title>
          <Text c="dimmed" size="sm" maw="60ch">
            {t('desktopUploads.intro')}
          </Text>
        </div>
      </header>
      <UploadLists bridge={bridge} status={status}>
        <Nothing bridge={bridge} />
      </UploadLists>
    </div>
  );
}

function Nothing({ bridge }: { bridge: DesktopBridge }) {
  const { t } = useTranslation();
  const { data: preferences } = useQuery(desktopQuery(bridge));
  if (!preferences) return null;
  const { shortcut, shortcutState } = preferences;
  const keys = shortcut && (shortcutState === 'active' || shortcutState === 'unchecked') && shortcutLabel(shortcut, bridge.platform);
  return (
    <EmptyState
      art={<IconCloudUpload size={48} stroke={1.2} aria-hidden />}
      title={t('desktopUploads.nothing')}
      text={keys ? t('desktopUploads.nothingText', { keys }) : t('desktopUploads.nothingTextNoKeys')}
    />
  );
}
