import { ActionIcon, Alert, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBracketsContainEnd, IconBracketsContainStart, IconGif, IconPhoto, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { Draft } from '#api/desktop/drafts.ts';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { type KeyGroup, KeysDialog } from '#renderer/components/keys-dialog.tsx';
import { DraftBar } from '#renderer/desktop/edit/draft-bar.tsx';
import { type DraftActions, useDraftActions } from '#renderer/desktop/edit/use-actions.ts';
import { useKeptMarks } from '#renderer/desktop/edit/use-draft.ts';
import editorClasses from '#renderer/editor/editor.module.css';
import { useDocumentKeys } from '#renderer/editor/use-keys.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { type TFunction, useTranslation } from '#renderer/i18n/t.ts';
import { AnimationDialog, MAX_ANIMATION_SECONDS } from './animation-dialog.tsx';
import { type Cut, cutVideo, extOf, snapped } from './cut.ts';
import { posterOf, type VideoSource, within } from './source.ts';
import { type Part, Strip } from './strip.tsx';
import { frameAt, timeText } from './time.ts';
import classes from './video.module.css';

/** What is kept with a draft. */
interface Marks extends Cut {
  /** The frame that was chosen as the poster. */
  poster: number | null;
}

function readMarks(text: string | null, count: number): Marks {
  const whole = { from: 0, to: count, isMuted: false, poster: null };
  try {
    const { video = {} } = JSON.parse(text ?? '{}') as { video?: Partial<Marks> };
    const { from, to, isMuted, poster } = { ...whole, ...video };
    const isValid = [from, to, poster ?? 0].every(Number.isInteger) && from >= 0 && from < to && to <= count;
    return isValid ? { from, to, isMuted: isMuted === true, poster } : whole;
  } catch {
    return whole;
  }
}

interface Props {
  bridge: DesktopBridge;
  draft: Draft;
  address: string;
  source: VideoSource;
  /** Whether a cut can begin with any frame, or only with a key frame. */
  isExact: boolean;
}

/** A draft that is a video: it is played, cut, silenced and sent. */
export function VideoEditor({ bridge, draft, address, source, isExact }: Props) {
  const { t } = useTranslation('edit');
  const { bytes: bytesText } = useFormat();
  const { frames, end } = source;
  const [marks, setMarks] = useState(() => readMarks(draft.marks, frames.length));
  const isWhole = marks.from === 0 && marks.to === frames.length;
  const isChanged = !isWhole || marks.isMuted;
  // A frame that is cut off mustn't be seen.
  const poster = marks.poster !== null && marks.poster >= marks.from && marks.poster < marks.to ? marks.poster : undefined;
  const write = useCallback((next: Marks) => (isUntouched(next, frames.length) ? null : JSON.stringify({ video: next })), [frames.length]);
  const { failed } = useKeptMarks(bridge, draft.id, marks, write);
  const [progress, setProgress] = useState<number>();
  const [exported, setExported] = useState<Marks>();
  const makeFile = async () => {
    setProgress(0);
    try {
      await bridge.beginDraftFile(draft.id, await extOf(source));
      await cutVideo(source, marks, (part, at) => bridge.writeDraftPart(draft.id, at, part), setProgress);
    } finally {
      setProgress(undefined);
    }
  };
  const actions = useDraftActions({
    bridge,
    draft,
    draw: undefined,
    video: {
      async send() {
        if (isChanged) await makeFile();
        const picture = await posterOf(source, poster, [marks.from, marks.to]);
        return { isWritten: isChanged, ...(picture && { poster: new Uint8Array(await picture.arrayBuffer()) }) };
      },
      async save() {
        if (isChanged) await makeFile();
        return bridge.saveDraftFile(draft.id, isChanged);
      },
    },
    onExported: () => setExported(marks),
  });
  const video = useRef<HTMLVideoElement>(null);
  const player = usePlayer(video, source, marks);
  const [animating, animation] = useDisclosure();
  const [help, helpDialog] = useDisclosure();

  const setPart = (part: Part, frame: number) => {
    const { from, to } = marks;
    if (part === 'from') {
      const next = Math.min(isExact ? frame : snapped(source, frame), to - 1);
      setMarks({ ...marks, from: Math.max(0, next) });
      player.show(Math.max(0, next));
    } else if (part === 'to') {
      const next = Math.max(from + 1, Math.min(frame, frames.length));
      setMarks({ ...marks, to: next });
      player.show(next - 1);
    } else player.show(frame);
  };
  const step = (part: Part, by: number) => {
    if (part === 'from' && !isExact) {
      const next =
        by > 0
          ? frames.findIndex(({ isKey }, at) => isKey && at > marks.from)
          : frames.findLastIndex(({ isKey }, at) => isKey && at < marks.from);
      return next >= 0 && next < marks.to && setPart(part, next);
    }
    setPart(part, (part === 'position' ? player.frame : marks[part]) + by);
  };
  const length = (frames[marks.to]?.time ?? end) - (frames[marks.from]?.time ?? 0);
  const total = end - (frames[0]?.time ?? 0);
  const isShort = length <= MAX_ANIMATION_SECONDS;
  const setPoster = () => setMarks({ ...marks, poster: player.frame });
  useVideoKeys(actions, {
    ' ': player.toggle,
    i: () => setPart('from', player.frame),
    o: () => setPart('to', player.frame + 1),
    p: setPoster,
    ',': () => step('position', -1),
    '.': () => step('position', 1),
    ArrowLeft: () => step('position', -1),
    ArrowRight: () => step('position', 1),
    Home: () => player.show(marks.from),
    End: () => player.show(marks.to - 1),
    '?': helpDialog.open,
  });
  return (
    <main className={editorClasses.editor} data-editor>
      <DraftBar
        draft={draft}
        actions={actions}
        isDrawn={!isUntouched(marks, frames.length) && marks !== exported}
        mayCopy={false}
        isVideo
      />
      <div className={classes.stage} data-testid="video-stage">
        <video
          ref={video}
          src={address}
          aria-label={draft.name}
          playsInline
          preload="auto"
          muted={marks.isMuted}
          disablePictureInPicture
          onClick={player.toggle}
        />
      </div>
      <section className={`${editorClasses.foot} ${classes.foot}`} aria-label={t('video.tools')}>
        {failed && (
          <Alert color="red" role="alert" p="xs">
            {t('video.notSaved')}
          </Alert>
        )}
        <div className={classes.row}>
          <ActionIcon
            size="2.5rem"
            radius="xl"
            variant="filled"
            aria-label={t(player.isPlaying ? 'video.pause' : 'video.play')}
            title={`${t(player.isPlaying ? 'video.pause' : 'video.play')} (${t('video.space')})`}
            onClick={player.toggle}
          >
            {player.isPlaying ? <IconPlayerPause size={20} /> : <IconPlayerPlay size={20} />}
          </ActionIcon>
          <span className={classes.time}>
            <b>{timeText((frames[player.frame]?.time ?? 0) - (frames[0]?.time ?? 0))}</b> / {timeText(total)}
          </span>
          <Button
            variant="default"
            px="xs"
            leftSection={<IconBracketsContainStart size={18} />}
            title={`${t('video.fromHint')} (I)`}
            onClick={() => setPart('from', player.frame)}
          >
            {t('video.fromHere')}
          </Button>
          <Button
            variant="default"
            px="xs"
            leftSection={<IconBracketsContainEnd size={18} />}
            title={`${t('video.toHint')} (O)`}
            onClick={() => setPart('to', player.frame + 1)}
          >
            {t('video.toHere')}
          </Button>
          <span className={classes.gap} />
          {source.audio && (
            <Switch
              label={t('video.mute')}
              checked={marks.isMuted}
              onChange={({ currentTarget: { checked } }) => setMarks({ ...marks, isMuted: checked })}
            />
          )}
          <Button
            variant="default"
            px="xs"
            className={classes.poster ?? ''}
            leftSection={<IconPhoto size={18} />}
            title={`${t('video.posterHint')} (P)`}
            aria-pressed={poster === player.frame}
            onClick={setPoster}
          >
            {t(poster === player.frame ? 'video.isPoster' : 'video.poster')}
          </Button>
          <Button
            variant="default"
            px="xs"
            leftSection={<IconGif size={18} />}
            disabled={!isShort || actions.busy !== undefined}
            title={isShort ? t('video.animationHint') : t('video.tooLong', { seconds: MAX_ANIMATION_SECONDS })}
            onClick={animation.open}
          >
            {t('video.animation')}
          </Button>
        </div>
        <Strip source={source} from={marks.from} to={marks.to} position={player.frame} onMove={setPart} onStep={step} />
        <p className={classes.facts}>
          <span role="status">
            {progress === undefined
              ? t(isWhole ? 'video.whole' : 'video.kept', {
                  length: timeText(length),
                  total: timeText(total),
                  size: bytesText(((draft.video?.size ?? 0) * length) / total),
                })
              : t('video.cutting', { percent: Math.floor(progress * 100) })}
          </span>
          {!isWhole && progress === undefined && (
            <button type="button" className={classes.link} onClick={() => setMarks({ ...marks, from: 0, to: frames.length })}>
              {t('video.keepAll')}
            </button>
          )}
          {!isExact && <span>{t('video.keyFrames')}</span>}
          <span className={classes.later}>{t('video.noCovers')}</span>
        </p>
      </section>
      {animating && <AnimationDialog bridge={bridge} draft={draft} source={source} cut={marks} onClose={animation.close} />}
      {help && <KeysDialog groups={videoKeys(t)} onClose={helpDialog.close} />}
    </main>
  );
}

const isUntouched = ({ from, to, isMuted, poster }: Marks, count: number) => from === 0 && to === count && !isMuted && poster === null;

const videoKeys = (t: TFunction<'edit'>): KeyGroup[] => [
  {
    title: t('keys'),
    items: [
      { keys: [['Enter']], label: t('send') },
      { keys: [['Mod', 'S']], label: t('save') },
      { keys: [['Esc']], label: t('close') },
    ],
  },
  {
    title: t('video.tools'),
    items: [
      { keys: [['Space']], label: t('video.playPause') },
      { keys: [['←'], ['→']], label: t('video.step') },
      { keys: [['Shift', '→']], label: t('video.stepSecond') },
      { keys: [['I']], label: t('video.fromHint') },
      { keys: [['O']], label: t('video.toHint') },
      { keys: [['Home'], ['End']], label: t('video.toEnds') },
      { keys: [['P']], label: t('video.posterHint') },
    ],
  },
];

/** Plays what is kept, and shows single frames. `frame`: the place of the one that is shown. */
function usePlayer(video: RefObject<HTMLVideoElement | null>, { frames }: VideoSource, { from, to }: Cut) {
  const [frame, setFrame] = useState(from);
  const [isPlaying, setPlaying] = useState(false);
  const show = useCallback(
    (wanted: number) => {
      const next = Math.min(Math.max(0, wanted), frames.length - 1);
      const [element, shown] = [video.current, frames[next]];
      if (!element || !shown) return;
      element.pause();
      element.currentTime = within(shown);
      setFrame(next);
    },
    [video, frames],
  );
  const first = useRef(from);
  useEffect(() => show(first.current), [show]);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    const change = () => setPlaying(!element.paused);
    for (const event of ['play', 'pause', 'ended']) element.addEventListener(event, change);
    return () => {
      for (const event of ['play', 'pause', 'ended']) element.removeEventListener(event, change);
      // Chromium goes on playing a video that has left the page, and keeps its file open.
      element.pause();
      element.removeAttribute('src');
      element.load();
    };
  }, [video]);
  useEffect(() => {
    if (!isPlaying) return;
    let request = 0;
    const follow = () => {
      const now = frameAt(frames, video.current?.currentTime ?? 0);
      if (now >= to) return show(to - 1);
      setFrame(now);
      request = requestAnimationFrame(follow);
    };
    request = requestAnimationFrame(follow);
    return () => cancelAnimationFrame(request);
  }, [isPlaying, video, frames, to, show]);
  const toggle = () => {
    const element = video.current;
    if (!element) return;
    if (!element.paused) return element.pause();
    // Of what isn't kept, only single frames are shown.
    if (frame < from || frame >= to - 1) show(from);
    element.play().catch((error: unknown) => console.warn('Couldn’t play a video:', error));
  };
  return { frame, isPlaying, show, toggle };
}

/** Enter sends and Escape closes, as for pictures; other keys work unless they mean something where the focus is. */
function useVideoKeys({ busy, send, save, close }: DraftActions, keys: Record<string, () => void>) {
  useDocumentKeys(({ key, target, ctrlKey, metaKey, isComposing }) => {
    if (isComposing || !(target instanceof Element)) return false;
    const isCommand = ctrlKey || metaKey;
    const isPressed = target.closest('button, a, input') !== null;
    const commands: Record<string, (() => void) | false> = {
      Enter: busy === undefined && !(isPressed && !isCommand) && send,
      s: isCommand && busy === undefined && save,
      Escape: !isCommand && busy === undefined && close,
    };
    const action = commands[key] || (!isCommand && !(key === ' ' && isPressed) && keys[key.length === 1 ? key.toLowerCase() : key]);
    if (!action) return false;
    action();
    return true;
  });
}
