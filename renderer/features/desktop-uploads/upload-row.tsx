import { ActionIcon, Progress, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import {
  IconAlertTriangle,
  IconClock,
  IconExternalLink,
  IconPencil,
  IconPhoto,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSend,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, memo } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { Upload, UploadAction } from '#api/desktop/uploads.ts';
import { CopyButton } from '#renderer/components/copying/copy-button.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { isServed } from '#renderer/platform/bridge.ts';
import item from '#renderer/upload/panel/panel-item.module.css';
import classes from './uploads.module.css';
import { draftThumbnailQuery, thumbnailQuery, useUploadActions } from './uploads.ts';

interface Props {
  bridge: DesktopBridge;
  upload: Upload;
}

/** One upload, with what can be done with it. */
export const UploadRow = memo(
  function UploadRow({ bridge, upload }: Props) {
    const { id, name, state, sent, size } = upload;
    const { openDraft } = useUploadActions(bridge);
    const open = (event: MouseEvent) => {
      if (event.target instanceof Element && !event.target.closest('button')) openDraft(id);
    };
    return (
      <li className={classes.row} data-state={state} onDoubleClick={state === 'draft' ? open : undefined}>
        <Preview bridge={bridge} upload={upload} />
        <div className={item.text}>
          <span className={`${item.name} ${classes.name}`} title={name} dir="auto">
            {name}
          </span>
          <Facts upload={upload} />
          {state === 'sending' && (
            <Progress size={3} value={size ? (100 * (sent ?? 0)) / size : 0} aria-label={name} transitionDuration={200} />
          )}
        </div>
        <Actions bridge={bridge} upload={upload} />
      </li>
    );
  },
  (before, after) => JSON.stringify(before.upload) === JSON.stringify(after.upload),
);

function Preview({ bridge, upload: { id, state, image, isMarked } }: Props) {
  const { data: ofHost } = useQuery({ ...thumbnailQuery(bridge, image?.key ?? ''), enabled: image !== undefined && !isServed() });
  const { data: ofDraft } = useQuery({ ...draftThumbnailQuery(bridge, { id, isMarked }), enabled: state === 'draft' });
  const source = image ? (isServed() ? smallThumbnail(image.key) : ofHost) : ofDraft;
  if (source) return <img className={`${item.preview} ${classes.preview}`} src={source} alt="" loading="lazy" />;
  const Icon =
    state === 'draft'
      ? IconPencil
      : state === 'failed'
        ? IconAlertTriangle
        : state === 'waiting' || state === 'paused'
          ? IconClock
          : IconPhoto;
  return (
    <span className={`${item.preview} ${classes.preview}`}>
      <Icon size={20} stroke={1.5} aria-hidden />
    </span>
  );
}

/** On this page's own origin, where the session is valid. */
const smallThumbnail = (key: string) => `/t/${key}.jpg?w=120`;

function Facts({ upload }: { upload: Upload }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { state, origin, size, sent, bytesPerSecond, reason, retryAt, addedAt, endedAt, image } = upload;
  const isSending = state === 'sending' && size !== undefined && sent !== undefined;
  const facts = [
    state !== 'done' && state !== 'failed' && t(`desktopUploads.state.${state}`),
    isSending
      ? t('desktopUploads.progress', { percent: format.percent(size ? Math.min(1, sent / size) : 0), size: format.bytes(size) })
      : size !== undefined && format.bytes(size),
    isSending && bytesPerSecond !== undefined && t('desktopUploads.speed', { speed: format.bytes(bytesPerSecond) }),
    state === 'draft' && format.moment(new Date(addedAt)),
    endedAt !== undefined && format.moment(new Date(endedAt)),
    t(`desktopUploads.origin.${origin}`),
    image && t(`opens.${image.who}`),
    retryAt !== undefined && t('desktopUploads.retryAt', { time: format.moment(new Date(retryAt)) }),
  ].filter(Boolean);
  return (
    <>
      <span className={classes.facts}>{facts.join(' · ')}</span>
      {reason && <span className={classes.reason}>{reason}</span>}
    </>
  );
}

function Actions({ bridge, upload }: Props) {
  const { id, name, state, image } = upload;
  const { t } = useTranslation();
  const { change } = useUploadActions(bridge);
  const button = (label: string, Icon: typeof IconX, action: UploadAction) => (
    <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} onClick={() => change(action, [id])}>
      <Icon size={18} />
    </ActionIcon>
  );
  if (image)
    return (
      <div className={classes.actions}>
        <CopyButton isLink text={image.link} label={t('upload.copyOne', { name })} />
        <OpenButton url={image.shareUrl} label={t('desktopUploads.openOne', { name })} />
        {button(t('upload.dismissOne', { name }), IconX, 'forget')}
      </div>
    );
  if (state === 'draft') return <DraftActions bridge={bridge} upload={upload} />;
  if (state === 'failed')
    return (
      <div className={classes.actions}>
        {button(t('desktopUploads.retryOne', { name }), IconRefresh, 'retry')}
        {button(t('desktopUploads.dismissOne', { name }), IconX, 'dismiss')}
      </div>
    );
  return (
    <div className={classes.actions}>
      {state === 'paused'
        ? button(t('desktopUploads.resumeOne', { name }), IconPlayerPlay, 'resume')
        : button(t('desktopUploads.pauseOne', { name }), IconPlayerPause, 'pause')}
      {button(t('desktopUploads.cancelOne', { name }), IconX, 'discard')}
    </div>
  );
}

/** Opens the draft in its window, or discards it: with a question if something is drawn on it. */
function DraftActions({ bridge, upload: { id, name, isMarked } }: Props) {
  const { t } = useTranslation();
  const { change, openDraft, sendDraft } = useUploadActions(bridge);
  const ask = () =>
    modals.openConfirmModal({
      title: t('desktopUploads.discardAsk'),
      children: <Text size="sm">{t('desktopUploads.discardText')}</Text>,
      labels: { confirm: t('desktopUploads.discard'), cancel: t('common.cancel') },
      confirmProps: { color: 'red.8' },
      onConfirm: () => change('discard', [id]),
    });
  const send = t(isMarked ? 'desktopUploads.openToSendOne' : 'desktopUploads.sendOne', { name });
  const edit = t('desktopUploads.editOne', { name });
  const discard = t('desktopUploads.discardOne', { name });
  return (
    <div className={classes.actions}>
      <ActionIcon variant="subtle" color="gray" aria-label={send} title={send} onClick={() => sendDraft(id)}>
        <IconSend size={18} />
      </ActionIcon>
      <ActionIcon variant="subtle" color="gray" aria-label={edit} title={edit} onClick={() => openDraft(id)}>
        <IconPencil size={18} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={discard}
        title={discard}
        onClick={isMarked ? ask : () => change('discard', [id])}
      >
        <IconTrash size={18} />
      </ActionIcon>
    </div>
  );
}

/** Leads to the share page, which opens in the browser. */
function OpenButton({ url, label }: { url: string; label: string }) {
  return (
    <ActionIcon component="a" href={url} target="_blank" rel="noreferrer" variant="subtle" color="gray" aria-label={label} title={label}>
      <IconExternalLink size={18} />
    </ActionIcon>
  );
}
