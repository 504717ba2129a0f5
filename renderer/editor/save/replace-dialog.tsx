import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { IconArrowRight, IconPhoto } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { TRASH_DAYS } from '#api/constants.ts';
import { classify } from '#api/failures.ts';
import type { Image } from '#api/images/images.ts';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { ownEscape } from '#renderer/components/own-escape.ts';
import classes from '#renderer/editor/editor.module.css';
import { useEditorTexts } from '#renderer/editor/texts.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { thumbnailSrc } from '#renderer/images/address.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { useUploadLimits } from '#renderer/upload/limits.ts';
import { refuse } from '#renderer/upload/queue/refusal.ts';
import { randomKey, sendReplacement } from '#renderer/upload/queue/send-form.ts';
import type { Progress as Sent } from '#renderer/upload/queue/types.ts';
import { useShowSaved } from './show-saved.tsx';

interface Props {
  image: Image;
  /** The file that takes the place of the present one. */
  file: File;
  onClose: () => void;
}

/** Asks before a picture is replaced with a file of the computer, sends it, and stays open if that fails. */
export function ReplaceDialog({ image, file, onClose }: Props) {
  useEditorTexts();
  const { t } = useTranslation('editor');
  const { t: common } = useTranslation();
  const explain = useExplain();
  const format = useFormat();
  const limits = useUploadLimits();
  const { progress, error, replace, stop } = useReplacement(image, file, onClose);
  const refusal = refuse(file, limits);
  const close = () => {
    stop();
    onClose();
  };
  return (
    <Modal.Root opened centered onClose={close} size="md" closeOnEscape={false} onKeyDown={(event) => event.key === 'Escape' && close()}>
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content radius="lg" {...ownEscape}>
        <Modal.Header>
          <Modal.Title>{t('replaceTitle')}</Modal.Title>
          <Modal.CloseButton aria-label={common('common.close')} {...ownEscape} />
        </Modal.Header>
        <Modal.Body>
          <Stack>
            <div className={classes.exchange}>
              <Side label={t('replaceNow')} note={`${format.bytes(image.size)} · ${image.width} × ${image.height}`}>
                <img src={thumbnailSrc(image, 400)} alt="" />
              </Side>
              <IconArrowRight size={22} aria-hidden />
              <Side label={file.name} note={`${t('replaceNew')} · ${format.bytes(file.size)}`}>
                <FilePreview file={file} />
              </Side>
            </div>
            <Text size="sm">{t('replaceFileHint', { count: TRASH_DAYS })}</Text>
            {(refusal ?? error) !== undefined && <ErrorNotice explanation={explain(refusal ?? error)} />}
            {progress && (
              <Progress
                value={(progress.sent / Math.max(1, progress.total)) * 100}
                animated
                aria-label={common('upload.progress', { name: file.name })}
              />
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={close} data-autofocus={refusal !== undefined || undefined} {...ownEscape}>
                {common('common.cancel')}
              </Button>
              <Button
                disabled={refusal !== undefined}
                loading={progress !== undefined}
                onClick={replace}
                data-autofocus={refusal === undefined || undefined}
                {...ownEscape}
              >
                {t('replaceFile')}
              </Button>
            </Group>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function useReplacement(image: Image, file: File, onClose: () => void) {
  const showSaved = useShowSaved();
  const [progress, setProgress] = useState<Sent>();
  const [error, setError] = useState<unknown>();
  const abort = useRef<AbortController>(undefined);
  const [idempotencyKey, setKey] = useState(randomKey);
  const replace = async () => {
    abort.current = new AbortController();
    const { signal } = abort.current;
    setError(undefined);
    setProgress({ sent: 0, total: file.size });
    try {
      showSaved(
        'replace',
        await sendReplacement(image.key, { file, name: file.name, idempotencyKey }, { onProgress: setProgress, signal }),
        image,
      );
      onClose();
    } catch (reason) {
      if (classify(reason) === 'new key') setKey(randomKey());
      if (!signal.aborted) setError(reason);
    } finally {
      setProgress(undefined);
    }
  };
  return { progress, error, replace: () => void replace(), stop: () => abort.current?.abort(new DOMException('Cancelled', 'AbortError')) };
}

function Side({ label, note, children }: { label: string; note: string; children: ReactNode }) {
  return (
    <figure>
      <div>{children}</div>
      <figcaption>
        <strong title={label}>{label}</strong>
        {note}
      </figcaption>
    </figure>
  );
}

/** The file, where the browser can show it. */
function FilePreview({ file }: { file: File }) {
  const [url, setUrl] = useState<string>();
  const [isShown, setShown] = useState(true);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (!isShown) return <IconPhoto size={40} stroke={1.3} aria-hidden />;
  return url && <img src={url} alt="" onError={() => setShown(false)} />;
}
