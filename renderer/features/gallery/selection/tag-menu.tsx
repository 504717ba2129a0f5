import { Button, Group, Popover, TagsInput } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_TAG_LENGTH, MAX_TAGS } from '#api/constants.ts';
import type { Image } from '#api/images/images.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { tagsQuery } from '#renderer/images/list/list.ts';
import { ICON, menuButton } from './menu-button.ts';
import classes from './tag-menu.module.css';

interface Props {
  /** The selected images that are loaded. */
  images: readonly Image[];
  /** Why the selected images can't be changed. */
  refusal?: string | undefined;
  onTag: (tags: string[], mode: 'add' | 'remove') => void;
}

/** Adds tags to the selected images, or removes them: typed ones, and those that they or other images have. */
export function TagMenu({ images, refusal, onTag }: Props) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const apply = (tags: string[], mode: 'add' | 'remove') => {
    setOpened(false);
    onTag(tags, mode);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus returnFocus width={320}>
      <Popover.Target>
        <Button {...menuButton(t('library.tags'), <IconTag {...ICON} />, refusal)} onClick={() => setOpened(!opened)}>
          {t('library.tags')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('library.tags')}>{opened && <TagForm images={images} onApply={apply} />}</Popover.Dropdown>
    </Popover>
  );
}

function TagForm({ images, onApply }: { images: readonly Image[]; onApply: Props['onTag'] }) {
  const { t } = useTranslation();
  const { data: known } = useQuery(tagsQuery);
  const [tags, setTags] = useState<string[]>([]);
  const [typed, setTyped] = useState('');
  // Text that hasn't become a tag yet counts as one.
  const all = [...new Set([...tags, typed.trim()])].filter(Boolean);
  const offered = (some: readonly string[]) =>
    some.filter((tag) => !tags.includes(tag) && tag.toLowerCase().includes(typed.trim().toLowerCase()));
  const present = [...new Set(images.flatMap((image) => image.tags))].sort((one, other) => one.localeCompare(other));
  const add = (tag: string) => {
    setTags([...tags, tag]);
    setTyped('');
  };
  return (
    <div className={classes.form}>
      <div className={classes.scroll}>
        {/* Its own list would cover the buttons. */}
        <TagsInput
          label={t('library.tags')}
          description={t('library.tagsHint')}
          value={tags}
          onChange={setTags}
          searchValue={typed}
          onSearchChange={setTyped}
          maxLength={MAX_TAG_LENGTH}
          maxTags={MAX_TAGS}
          splitChars={[',', '，']}
          acceptValueOnBlur
          data-autofocus
        />
        <Choices label={t('selection.tagsPresent')} tags={offered(present)} onChoose={add} />
        <Choices label={t('selection.tagsOther')} tags={offered(known ?? []).filter((tag) => !present.includes(tag))} onChoose={add} />
      </div>
      <Group gap="xs" grow>
        <Button size="xs" disabled={!all.length} onClick={() => onApply(all, 'add')}>
          {t('library.tagAdd')}
        </Button>
        <Button size="xs" variant="default" disabled={!all.length} onClick={() => onApply(all, 'remove')}>
          {t('library.tagRemove')}
        </Button>
      </Group>
    </div>
  );
}

function Choices({ label, tags, onChoose }: { label: string; tags: readonly string[]; onChoose: (tag: string) => void }) {
  if (tags.length === 0) return null;
  return (
    <fieldset className={classes.offer}>
      <legend className={classes.label}>{label}</legend>
      <div className={classes.choices}>
        {tags.map((tag) => (
          // Without moving the focus, which would make a tag of what is typed.
          <button
            key={tag}
            type="button"
            className={classes.choice}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(tag)}
          >
            {tag}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
