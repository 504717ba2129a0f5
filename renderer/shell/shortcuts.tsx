import { type Keys, KeysDialog } from '#renderer/components/keys-dialog.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';

/** Every shortcut of the pages behind the sign-in. Alternatives stand side by side. */
const SHORTCUTS = [
  {
    title: 'shortcuts.everywhere',
    items: [
      { keys: [['Mod', 'V']], label: 'shortcuts.paste' },
      { keys: [['/']], label: 'shortcuts.search' },
      { keys: [['Mod', 'Z']], label: 'shortcuts.undo' },
      { keys: [['?']], label: 'shortcuts.help' },
    ],
  },
  {
    title: 'shortcuts.pictures',
    items: [
      { keys: [['←'], ['→'], ['↑'], ['↓']], label: 'shortcuts.move' },
      { keys: [['Home'], ['End']], label: 'shortcuts.ends' },
      { keys: [['Enter']], label: 'shortcuts.open' },
      { keys: [['Mod', 'click']], label: 'shortcuts.tab' },
      { keys: [['Space']], label: 'shortcuts.select' },
      {
        keys: [
          ['Shift', 'click'],
          ['Shift', '→'],
        ],
        label: 'shortcuts.range',
      },
      { keys: [['Mod', 'A']], label: 'shortcuts.all' },
      { keys: [['Mod', 'C']], label: 'shortcuts.copy' },
      { keys: [['Delete']], label: 'shortcuts.delete' },
      { keys: [['Esc']], label: 'shortcuts.clear' },
    ],
  },
  {
    title: 'shortcuts.viewer',
    items: [
      { keys: [['←'], ['→']], label: 'shortcuts.next' },
      { keys: [['↑'], ['↓'], ['PageDown'], ['Home'], ['End']], label: 'shortcuts.scroll' },
      { keys: [['Space']], label: 'shortcuts.slideshow' },
      { keys: [['F']], label: 'shortcuts.fullScreen' },
      { keys: [['+'], ['−'], ['doubleClick']], label: 'shortcuts.zoom' },
      { keys: [['Mod', 'C']], label: 'shortcuts.copyOne' },
      { keys: [['E']], label: 'shortcuts.edit' },
      { keys: [['Delete']], label: 'shortcuts.deleteOne' },
      { keys: [['Esc']], label: 'shortcuts.close' },
    ],
  },
  {
    title: 'shortcuts.video',
    items: [
      { keys: [['Space']], label: 'shortcuts.playVideo' },
      {
        keys: [
          ['Shift', '←'],
          ['Shift', '→'],
        ],
        label: 'shortcuts.seek',
      },
      { keys: [[','], ['.']], label: 'shortcuts.frame' },
      { keys: [['<'], ['>']], label: 'shortcuts.speed' },
      { keys: [['M']], label: 'shortcuts.mute' },
    ],
  },
] as const satisfies readonly { title: string; items: readonly { keys: readonly Keys[]; label: string }[] }[];

/** The list of keyboard shortcuts. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const groups = SHORTCUTS.map(({ title, items }) => ({
    title: t(title),
    items: items.map(({ keys, label }) => ({ keys, label: t(label) })),
  }));
  return <KeysDialog groups={groups} onClose={onClose} />;
}
