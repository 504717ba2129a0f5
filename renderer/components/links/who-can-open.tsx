import { Button, Text } from '@mantine/core';
import { IconAccessPoint, IconDeviceDesktop, IconUser, IconWorld } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { desktopBridge, isServed } from '#renderer/platform/bridge.ts';
import { useReach } from '#renderer/service/reach.ts';
import { showCopied } from './copied-notice.tsx';
import classes from './who-can-open.module.css';

const ICONS = { private: IconUser, computer: IconDeviceDesktop, network: IconAccessPoint, internet: IconWorld };

interface Props {
  visibility?: 'public' | 'private';
  /** The text with the links: where only this computer can open them, the desktop app offers to share them, and copies it again. */
  text: string;
  count?: number;
}

/** Says who can open links, wherever some are shown. */
export function WhoCanOpen({ visibility = 'public', text, count = 1 }: Props) {
  const { t } = useTranslation();
  const reach = useReach();
  const who = visibility === 'private' ? 'private' : reach;
  const Icon = ICONS[who];
  return (
    <Text size="sm" component="div" className={classes.line ?? ''} data-who={who}>
      <Icon size={16} stroke={1.8} aria-hidden />
      <span>{t(count === 1 ? 'opens.sentence' : 'opens.sentences', { who: t(`opens.${who}`) })}</span>
      {who === 'computer' && <ShareNow text={text} />}
    </Text>
  );
}

function ShareNow({ text }: { text: string }) {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const bridge = isServed() ? desktopBridge() : undefined;
  const share = useMutation({
    mutationFn: async () => bridge?.shareLinks(text),
    onSuccess: () =>
      showCopied({
        title: t('opened.shared'),
        message: t('opens.sentence', { who: t('opens.network') }),
      }),
    onError: (error) => notifyError(error),
  });
  if (!bridge) return null;
  return (
    <Button size="compact-sm" variant="light" title={t('opened.shareHint')} loading={share.isPending} onClick={() => share.mutate()}>
      {t('opened.shareNow')}
    </Button>
  );
}
