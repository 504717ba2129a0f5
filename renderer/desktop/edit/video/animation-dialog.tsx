import { Button, Group, Modal, Progress, SegmentedControl, Select } from '@mantine/core';
import { IconDeviceFloppy, IconSend } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { Draft } from '#api/desktop/drafts.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { renamed } from '#renderer/editor/picture/output.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { type Animation, animate } from './animate.ts';
import type { Cut } from './cut.ts';
import type { VideoSource } from './source.ts';
import classes from './video.module.css';

/** Longer ones would be larger than the video by far. */
export const MAX_ANIMATION_SECONDS = 30;

const WIDTHS = [320, 480, 640, 800, 1080];
const RATES = [5, 10, 15, 20, 25];

interface Props {
  bridge: DesktopBridge;
  draft: Draft;
  source: VideoSource;
  cut: Cut;
  onClose(): void;
}

/** Makes an animation of what is kept of a video: it is shown with its size, and sent or saved. */
export function AnimationDialog({ bridge, draft, source, cut, onClose }: Props) {
  const { t } = useTranslation('edit');
  const { bytes: bytesText } = useFormat();
  const notifyError = useNotifyError();
  const { frames, end, size } = source;
  const rate = frames.length / Math.max(0.1, end - (frames[0]?.time ?? 0));
  const widths = [...WIDTHS.filter((width) => width < size.width), Math.min(size.width, 1280)];
  const [chosen, setChosen] = useState<Animation>({
    kind: 'gif',
    width: widths.find((width) => width >= 480) ?? (widths.at(-1) as number),
    rate: Math.min(10, Math.ceil(rate)),
  });
  const { made, progress } = useAnimation(source, cut, chosen);
  const [busy, setBusy] = useState<'send' | 'save'>();
  const run = (what: 'send' | 'save', action: () => Promise<unknown>) => {
    setBusy(what);
    action()
      .catch((error: unknown) => notifyError(error, t('failed')))
      .finally(() => setBusy(undefined));
  };
  return (
    <Modal opened onClose={onClose} title={t('video.animationTitle')} size="lg" centered>
      <div className={classes.preview}>
        {made ? (
          <img src={made.address} alt={t('video.preview')} />
        ) : (
          <Progress value={progress * 100} aria-label={t('video.making')} w="60%" />
        )}
      </div>
      <p className={classes.size} role="status">
        {made ? bytesText(made.bytes.length) : t('video.making')}
      </p>
      <div className={classes.choices}>
        <SegmentedControl
          aria-label={t('video.format')}
          value={chosen.kind}
          data={[
            { value: 'gif', label: 'GIF' },
            { value: 'webp', label: 'WebP' },
          ]}
          onChange={(kind) => setChosen({ ...chosen, kind: kind as Animation['kind'] })}
        />
        <Select
          aria-label={t('video.width')}
          allowDeselect={false}
          value={String(chosen.width)}
          data={widths.map((width) => ({ value: String(width), label: t('video.pixels', { width }) }))}
          onChange={(width) => setChosen({ ...chosen, width: Number(width) })}
        />
        <Select
          aria-label={t('video.rate')}
          allowDeselect={false}
          value={String(chosen.rate)}
          data={[...new Set([...RATES.filter((each) => each <= rate), chosen.rate])]
            .sort((one, other) => one - other)
            .map((each) => ({ value: String(each), label: t('video.perSecond', { count: each }) }))}
          onChange={(each) => setChosen({ ...chosen, rate: Number(each) })}
        />
      </div>
      <Group justify="flex-end" mt="md">
        <Button
          variant="default"
          leftSection={<IconDeviceFloppy size={18} />}
          disabled={!made || busy !== undefined}
          loading={busy === 'save'}
          onClick={() => made && run('save', () => bridge.savePicture(renamed(draft.name, made.kind), made.bytes))}
        >
          {t('save')}
        </Button>
        <Button
          leftSection={<IconSend size={18} />}
          disabled={!made || busy !== undefined}
          loading={busy === 'send'}
          onClick={() => made && run('send', () => bridge.sendDraft(draft.id, { bytes: made.bytes, ext: made.kind }, false))}
        >
          {t('video.sendAnimation')}
        </Button>
      </Group>
    </Modal>
  );
}

interface Made {
  kind: Animation['kind'];
  bytes: Uint8Array<ArrayBuffer>;
  address: string;
}

/** The animation with the options that were chosen last, once it is made. */
function useAnimation(source: VideoSource, cut: Cut, chosen: Animation) {
  const notifyError = useNotifyError();
  const [made, setMade] = useState<Made>();
  const [progress, setProgress] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let address: string | undefined;
    setMade(undefined);
    setProgress(0);
    animate(source, cut, chosen, { signal, onProgress: setProgress }).then(
      (bytes) => {
        if (signal.aborted) return;
        address = URL.createObjectURL(new Blob([bytes], { type: `image/${chosen.kind}` }));
        setMade({ kind: chosen.kind, bytes, address });
      },
      (error: unknown) => !signal.aborted && notifyError(error),
    );
    return () => {
      controller.abort();
      if (address) URL.revokeObjectURL(address);
    };
  }, [source, cut, chosen, notifyError]);
  return { made, progress };
}
