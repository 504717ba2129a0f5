import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { TRASH_DAYS } from '#api/constants.ts';
import type { Image } from '#api/images/images.ts';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { ownEscape } from '#renderer/components/own-escape.ts';
import { useEditorTexts } from '#renderer/editor/texts.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { thumbnailSrc } from '#renderer/images/address.ts';
import { useOfferVersionUndo, useRestoreVersion } from '#renderer/images/list/versions.ts';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import classes from './versions.module.css';

interface Props {
  image: Image;
  onClose: () => void;
}

/** Compares a picture with the versions of it that are still in the trash, and restores one. */
export function VersionsDialog({ image, onClose }: Props) {
  useEditorTexts();
  const { t } = useTranslation('editor');
  const { t: common } = useTranslation();
  const format = useFormat();
  const explain = useExplain();
  const versions = useQuery({
    queryKey: ['versions', image.key, image.sha256],
    queryFn: async ({ signal }) => (await client.call('GET /images/:key/versions', { params: { key: image.key }, signal })).items,
  });
  const [chosen, setChosen] = useState<string>();
  const version = versions.data?.find(({ key }) => key === chosen) ?? versions.data?.[0];
  const restore = useRestore(image, onClose);
  return (
    <Modal opened onClose={onClose} title={common('picture.compare')} size="xl" {...ownEscape}>
      <Stack gap="sm">
        {versions.isError && <ErrorNotice explanation={explain(versions.error)} onRetry={() => void versions.refetch()} />}
        {versions.data && !version && <Text size="sm">{t('noVersions', { count: TRASH_DAYS })}</Text>}
        {versions.data && version && (
          <>
            {versions.data.length > 1 && (
              <Select
                {...ownEscape}
                label={t('compareWith')}
                allowDeselect={false}
                value={version.key}
                onChange={(key) => key && setChosen(key)}
                data={versions.data.map(({ key, deleted_at }) => ({ value: key, label: untilOf(deleted_at) }))}
              />
            )}
            <Comparison image={image} version={version} before={untilOf(version.deleted_at)} />
            <Text size="sm" c="dimmed">
              {t('restoreVersionHint', { date: format.moment(version.purge_at) })}
            </Text>
          </>
        )}
        {restore.isError && <ErrorNotice explanation={explain(restore.error)} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} {...ownEscape}>
            {common('common.close')}
          </Button>
          {version && (
            <Button loading={restore.isPending} onClick={() => restore.mutate(version.key)} {...ownEscape}>
              {t('restoreVersion')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );

  function untilOf(replacedAt: string | null) {
    return t('versionUntil', { date: format.moment(replacedAt ?? '') });
  }
}

function useRestore(image: Image, onDone: () => void) {
  const { t } = useTranslation();
  const restore = useRestoreVersion();
  const offerUndo = useOfferVersionUndo();
  return useMutation({
    mutationFn: (version: string) => restore(image.key, version),
    onSuccess: (_, version) => {
      const isBefore = ({ key }: Pick<Image, 'key'>) => key === version;
      offerUndo({ title: t('versions.restored'), text: t('versions.restoredText'), key: image.key, isBefore });
      onDone();
    },
  });
}

const WIDTH = 1600;

/** Two files of a picture in the same place, with a divider that the mouse, a finger or the arrow keys move. */
function Comparison({ image, version, before }: { image: Image; version: Image; before: string }) {
  const { t } = useTranslation('editor');
  const [share, setShare] = useState(50);
  const divider = useRef<HTMLInputElement>(null);
  // The versions come after the dialog has placed the focus.
  useEffect(() => divider.current?.focus(), []);
  const ratio = Math.max(image.width / image.height, version.width / version.height);
  // Neither is shown larger than it is.
  const width = Math.max(image.width, version.width);
  return (
    <div className={classes.comparison} style={{ '--share': `${share}%`, '--width': `${width}px`, aspectRatio: ratio } as CSSProperties}>
      <img src={thumbnailSrc(image, WIDTH)} alt={t('versionNow')} draggable={false} />
      <img src={thumbnailSrc(version, WIDTH)} alt={before} draggable={false} className={classes.before} />
      <span className={classes.label} aria-hidden>
        {before}
      </span>
      <span className={classes.label} data-now aria-hidden>
        {t('versionNow')}
      </span>
      <span className={classes.divider} aria-hidden />
      <input
        {...ownEscape}
        ref={divider}
        type="range"
        min={0}
        max={100}
        value={share}
        aria-label={t('divider')}
        aria-valuetext={t('dividerValue', { share })}
        onChange={(event) => setShare(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}
