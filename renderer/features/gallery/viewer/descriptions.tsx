import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MAX_ALT_LENGTH, MAX_CAPTION_LENGTH, MAX_TITLE_LENGTH } from '#api/constants.ts';
import type { Image } from '#api/images/images.ts';
import { SavedText } from './saved-text.tsx';
import type { Change } from './use-change.ts';
import classes from './viewer.module.css';

/** An image's title, caption and alternative text. */
export function Descriptions({ image, change }: { image: Image; change: Change }) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm" className={classes.fields}>
      <SavedText
        label={t('picture.title')}
        hint={t('picture.titleHint')}
        value={image.title}
        maxLength={MAX_TITLE_LENGTH}
        onSave={(title) => change({ title })}
      />
      <SavedText
        label={t('picture.caption')}
        hint={t('picture.captionHint')}
        value={image.caption}
        maxLength={MAX_CAPTION_LENGTH}
        multiline
        onSave={(caption) => change({ caption })}
      />
      <SavedText
        label={t('picture.alt')}
        hint={t('picture.altHint')}
        value={image.alt}
        maxLength={MAX_ALT_LENGTH}
        multiline
        onSave={(alt) => change({ alt })}
      />
    </Stack>
  );
}
