import { ActionIcon, Button, Group, Modal, Text } from '@mantine/core';
import { IconCopy, IconDeviceFloppy, IconPin, IconSend, IconTrash, IconUserShare, IconX, type TablerIcon } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Draft } from '#api/desktop/drafts.ts';
import editorClasses from '#renderer/editor/editor.module.css';
import { useTranslation } from '#renderer/i18n/t.ts';
import { withCommand } from '#renderer/platform/clipboard.ts';
import classes from './edit.module.css';
import type { DraftActions } from './use-actions.ts';

interface Props {
  draft: Pick<Draft, 'name' | 'following' | 'canPin'>;
  actions: DraftActions;
  /** Whether discarding loses more than the picture. */
  isDrawn: boolean;
  maySend?: boolean;
  mayCopy?: boolean;
  isVideo?: boolean;
  /** More buttons. */
  children?: ReactNode;
}

/** The bar of a draft: its name, and what can be done with it. */
export function DraftBar({ draft, actions, isDrawn, maySend = true, mayCopy = true, isVideo = false, children }: Props) {
  const { t } = useTranslation('edit');
  const { busy } = actions;
  const [asking, setAsking] = useState(false);
  const send = useRef<HTMLButtonElement>(null);
  // Enter sends from the start.
  useEffect(() => send.current?.focus({ preventScroll: true }), []);
  const button = (what: 'discard' | 'save' | 'pin' | 'copy' | 'sendTo', Icon: TablerIcon, onClick: () => void, hint: string) => (
    <Button
      variant="default"
      className={classes.action ?? ''}
      leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
      aria-label={t(what)}
      title={hint}
      loading={busy === what}
      disabled={busy !== undefined || (what === 'pin' && !draft.canPin)}
      onClick={onClick}
    >
      {t(what)}
    </Button>
  );
  return (
    <header className={`${editorClasses.bar} ${classes.bar}`}>
      <ActionIcon variant="subtle" color="gray" size="xl" radius="xl" aria-label={t('close')} title={t('close')} onClick={actions.close}>
        <IconX size={22} />
      </ActionIcon>
      <h1 className={editorClasses.name} title={draft.name} dir="auto">
        {draft.name}
      </h1>
      {draft.following > 0 && <span className={classes.following}>{t('following', { count: draft.following })}</span>}
      {children}
      <div className={classes.actions}>
        {button('discard', IconTrash, () => (isDrawn ? setAsking(true) : actions.discard()), t('discard'))}
        {maySend && button('save', IconDeviceFloppy, actions.save, `${t('save')} (${withCommand('S')})`)}
        {mayCopy && button('pin', IconPin, actions.pin, draft.canPin ? `${t('pinHint')} (${withCommand('P')})` : t('pinUnsupported'))}
        {mayCopy && button('copy', IconCopy, actions.copy, `${t('copy')} (${withCommand('C')})`)}
        {maySend && button('sendTo', IconUserShare, actions.sendTo, t('sendToHint'))}
        {maySend && (
          <Button
            ref={send}
            leftSection={<IconSend size={18} stroke={1.7} aria-hidden />}
            title={t('sendHint')}
            aria-keyshortcuts={actions.isSeen ? 'Enter' : undefined}
            loading={busy === 'send'}
            disabled={busy !== undefined}
            onClick={actions.send}
          >
            {t('send')}
          </Button>
        )}
      </div>
      <Modal opened={asking} onClose={() => setAsking(false)} title={t(isVideo ? 'discardVideoTitle' : 'discardTitle')} size="sm" centered>
        <Text size="sm">{t(isVideo ? 'discardVideoText' : 'discardText')}</Text>
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
            {t('keep')}
          </Button>
          <Button color="red.8" onClick={actions.discard}>
            {t('discard')}
          </Button>
        </Group>
      </Modal>
    </header>
  );
}
