import { SegmentedControl, Select, Text } from '@mantine/core';
import { useState } from 'react';
import type { CopiedContent, Preferences } from '#api/desktop/preferences.ts';
import { DESKTOP_LINK_FORMATS, type DesktopLinkFormat, SEPARATORS, type Separator, styledLinks } from '#api/sharing/link-formats.ts';
import { sampleImages } from '#renderer/features/settings/uploads/example-link.ts';
import { Template } from '#renderer/features/settings/uploads/template.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Setting } from '../setting.tsx';
import classes from '../settings.module.css';

type LinkPreferences = Pick<Preferences, 'copied' | 'linkFormat' | 'linkTemplate' | 'linkSeparator'>;
interface Props {
  preferences: LinkPreferences & { canCopyPictures: boolean };
  change(some: Partial<LinkPreferences>): void;
  /** The start of links; undefined while it loads. */
  linkAddress: string | undefined;
}

const COPIED: readonly CopiedContent[] = ['link', 'picture', 'both'];
const SEPARATOR_NAMES = Object.keys(SEPARATORS) as Separator[];

/** How copied links are written, with a preview of two pictures. */
export function Links({ preferences, change, linkAddress }: Props) {
  const { t } = useTranslation();
  const { linkFormat, linkSeparator, copied, canCopyPictures } = preferences;
  const [template, setTemplate] = useState(preferences.linkTemplate);
  const images = sampleImages(linkAddress ?? location.origin);
  return (
    <Setting title={t('capture.links')} hint={t('capture.linksHint')}>
      {(label) => (
        <>
          <Text size="sm" id={`${label}-copied`}>
            {t('capture.copied')}
          </Text>
          <SegmentedControl<CopiedContent>
            fullWidth
            mt={4}
            aria-labelledby={`${label}-copied`}
            disabled={!canCopyPictures}
            value={canCopyPictures ? copied : 'link'}
            onChange={(value) => change({ copied: value })}
            data={COPIED.map((value) => ({ value, label: t(`capture.copies.${value}`) }))}
          />
          <Text size="xs" c="dimmed" mt={4} mb="md">
            {t(canCopyPictures ? 'capture.copiedHint' : 'capture.copiedUnavailable')}
          </Text>
          <Select
            aria-labelledby={label}
            allowDeselect={false}
            value={linkFormat}
            onChange={(value) => value && change({ linkFormat: value as DesktopLinkFormat })}
            data={DESKTOP_LINK_FORMATS.map((value) => ({ value, label: t(value === 'custom' ? 'capture.customLink' : `links.${value}`) }))}
          />
          {linkFormat === 'custom' && <Template value={template} onChange={setTemplate} save={(text) => change({ linkTemplate: text })} />}
          <Text size="sm" mt="md" id={`${label}-separator`}>
            {t('capture.separator')}
          </Text>
          <SegmentedControl<Separator>
            fullWidth
            mt={4}
            aria-labelledby={`${label}-separator`}
            value={linkSeparator}
            onChange={(value) => change({ linkSeparator: value })}
            data={SEPARATOR_NAMES.map((value) => ({ value, label: t(`capture.separators.${value}`) }))}
          />
          <Text size="sm" mt="md" id={`${label}-preview`}>
            {t('capture.preview')}
          </Text>
          <output className={classes.preview} aria-labelledby={`${label}-preview`}>
            {styledLinks(images, { format: linkFormat, template, separator: linkSeparator })}
          </output>
        </>
      )}
    </Setting>
  );
}
