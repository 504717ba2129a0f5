import {
  IconArrowUpRight,
  IconBulb,
  IconCircle,
  IconCircleNumber1,
  IconCrop,
  IconDroplet,
  IconFrame,
  IconGrain,
  IconHighlight,
  IconLine,
  IconMessage2,
  IconPencil,
  IconPointer,
  IconRotate2,
  IconRotateClockwise2,
  IconSquare,
  IconSquareFilled,
  IconTypography,
} from '@tabler/icons-react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './editor.module.css';
import { keyOf, TOOLS, type Tool } from './tools/tools.ts';
import type { Editor } from './use-editor.ts';

const icon = { size: 22, stroke: 1.7, 'aria-hidden': true } as const;
const ICONS: Record<Tool, ReactElement> = {
  select: <IconPointer {...icon} />,
  crop: <IconCrop {...icon} />,
  cover: <IconSquareFilled {...icon} />,
  pixelate: <IconGrain {...icon} />,
  blur: <IconDroplet {...icon} />,
  box: <IconSquare {...icon} />,
  ellipse: <IconCircle {...icon} />,
  arrow: <IconArrowUpRight {...icon} />,
  line: <IconLine {...icon} />,
  pen: <IconPencil {...icon} />,
  highlighter: <IconHighlight {...icon} />,
  text: <IconTypography {...icon} />,
  callout: <IconMessage2 {...icon} />,
  step: <IconCircleNumber1 {...icon} />,
  spotlight: <IconBulb {...icon} />,
  frame: <IconFrame {...icon} />,
};

/** The tools beside the picture, or below it on a phone. */
export function Toolbar({ editor }: { editor: Editor }) {
  const { t } = useTranslation('editor');
  return (
    <div className={classes.tools} role="toolbar" aria-label={t('tools')}>
      {TOOLS.map((tool) => (
        <ToolButton
          key={tool}
          label={t(`tool.${tool}`)}
          shortcut={keyOf(tool)}
          pressed={editor.tool === tool}
          onClick={() => editor.choose(tool)}
        >
          {ICONS[tool]}
        </ToolButton>
      ))}
      <div className={classes.divider} />
      <ToolButton label={t('rotateLeft')} shortcut="Shift+R" onClick={() => editor.turn(-1)}>
        <IconRotate2 {...icon} />
      </ToolButton>
      <ToolButton label={t('rotateRight')} shortcut="R" onClick={() => editor.turn(1)}>
        <IconRotateClockwise2 {...icon} />
      </ToolButton>
    </div>
  );
}

interface ButtonProps {
  label: string;
  shortcut: string;
  pressed?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function ToolButton({ label, shortcut, pressed, onClick, children }: ButtonProps) {
  return (
    <button
      type="button"
      className={classes.tool}
      title={`${label} (${shortcut})`}
      aria-pressed={pressed}
      aria-keyshortcuts={shortcut}
      onClick={onClick}
    >
      {children}
      <span>{label}</span>
    </button>
  );
}
