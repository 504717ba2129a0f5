import { Loader } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { Draft } from '#api/desktop/drafts.ts';
import { EmptyState } from '#renderer/components/notices/notice.tsx';
import editorClasses from '#renderer/editor/editor.module.css';
import { NotEditableError } from '#renderer/editor/picture/source.ts';
import { useEditorTexts } from '#renderer/editor/texts.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { DraftBar } from './draft-bar.tsx';
import { DraftEditor } from './draft-editor.tsx';
import { useDraftActions } from './use-actions.ts';
import { useDraft, useDraftSource } from './use-draft.ts';
import { encoderFor } from './video/cut.ts';
import { openVideo, type VideoSource } from './video/source.ts';
import { VideoEditor } from './video/video-editor.tsx';

/** The window in which a draft is edited. Nothing leaves the computer before it is sent. */
export function DraftPage({ bridge }: { bridge: DesktopBridge }) {
  useEditorTexts();
  const { t } = useTranslation('edit');
  const draft = useDraft(bridge);
  useEffect(() => {
    document.title = t('title');
  }, [t]);
  useSaysCopied(bridge);
  if (draft === undefined) return null;
  return draft ? <OpenDraft key={draft.id} bridge={bridge} draft={draft} /> : <p hidden>{t('nothing')}</p>;
}

/** Says that the link of what was sent is in the clipboard, while the next draft is open. Otherwise, the window is gone by then. */
function useSaysCopied(bridge: DesktopBridge) {
  const { t } = useTranslation();
  useEffect(
    () =>
      bridge.onDelivery(({ copied, count }) => {
        if (!copied || document.visibilityState === 'hidden') return;
        notifications.show({ color: 'petrol.7', title: t('links.copiedLinks', { count }), message: undefined, autoClose: 3000 });
      }),
    [bridge, t],
  );
}

interface Props {
  bridge: DesktopBridge;
  draft: Draft;
}

function OpenDraft({ bridge, draft }: Props) {
  const { video } = draft;
  return video ? <OpenVideo bridge={bridge} draft={draft} video={video} /> : <OpenPicture bridge={bridge} draft={draft} />;
}

function OpenVideo({ bridge, draft, video: { address, size } }: Props & { video: NonNullable<Draft['video']> }) {
  const { t } = useTranslation('edit');
  const [opened, setOpened] = useState<{ source?: VideoSource; isExact?: boolean; error?: unknown }>();
  const { id } = draft;
  useEffect(() => {
    let isOver = false;
    let source: VideoSource | undefined;
    const open = async () => {
      source = await openVideo(size, (start, end) => bridge.readDraftPart(id, start, end));
      const isExact = (await encoderFor(source)) !== undefined;
      if (isOver) source.close();
      else setOpened(source.canDecode ? { source, isExact } : { error: undefined });
    };
    open().catch((error: unknown) => !isOver && setOpened({ error }));
    return () => {
      isOver = true;
      source?.close();
    };
  }, [bridge, id, size]);
  if (!opened) return <Waiting label={t('video.loading')} />;
  const { source, isExact = false } = opened;
  if (!source) return <Unopened bridge={bridge} draft={draft} error={opened.error} />;
  return <VideoEditor bridge={bridge} draft={draft} address={address} source={source} isExact={isExact} />;
}

function OpenPicture({ bridge, draft }: Props) {
  const { t } = useTranslation('editor');
  const { source, error } = useDraftSource(draft);
  if (source) return <DraftEditor bridge={bridge} draft={draft} source={source} />;
  if (draft.problem !== undefined || error !== undefined) return <Unopened bridge={bridge} draft={draft} error={error} />;
  return <Waiting label={t('loading')} />;
}

const Waiting = ({ label }: { label: string }) => (
  <main className={editorClasses.editor}>
    <div className={editorClasses.message}>
      <Loader aria-label={label} />
    </div>
  </main>
);

/** A draft that can't be edited: it can be sent as it is, unless there is no file. */
function Unopened({ bridge, draft, error }: Props & { error: unknown }) {
  const { t } = useTranslation('edit');
  const { t: tEditor } = useTranslation('editor');
  const video = draft.video && { send: async () => ({ isWritten: false }), save: () => bridge.saveDraftFile(draft.id, false) };
  const actions = useDraftActions({ bridge, draft, draw: undefined, video });
  const isMissing = draft.problem !== undefined;
  const obstacle = error instanceof NotEditableError ? error.obstacle : 'unreadable';
  return (
    <main className={editorClasses.editor} data-editor>
      <DraftBar
        draft={draft}
        actions={actions}
        isDrawn={draft.marks !== null}
        maySend={!isMissing}
        mayCopy={false}
        isVideo={video !== undefined}
      />
      <div className={editorClasses.message}>
        <EmptyState
          order={2}
          art={null}
          title={isMissing ? t('unreadable') : t(video ? 'video.notPlayable' : 'notEditable')}
          text={draft.problem ?? (video ? t('asItIs') : `${tEditor(`obstacle.${obstacle}.title`)}. ${t('asItIs')}`)}
        />
      </div>
    </main>
  );
}
