/// The style sheet of the page.
enum Style {
  static let sheet = """
    :root {
      --page: #f6f6f3; --card: #ffffff; --ink: #1b1d21; --soft: #5c6068; --line: #dcdcd6; --track: #ecece6;
      --ours: #1f66c2; --floor: #7b7f87; --second: #b4540a; --third: #0d7d6c; --good: #1a7f4b; --bad: #c0292b;
      --shade: rgba(31, 102, 194, .18); --edge: rgba(27, 29, 33, .28);
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #14161a; --card: #1d2026; --ink: #eceef2; --soft: #a3a8b3; --line: #353a43; --track: #2a2e36;
        --ours: #6aa9ff; --floor: #9aa0ab; --second: #f0954a; --third: #46c4ae; --good: #4fc686; --bad: #ff7a76;
        --shade: rgba(106, 169, 255, .22); --edge: rgba(0, 0, 0, .75);
      }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0; background: var(--page); color: var(--ink); line-height: 1.5;
      font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
      overflow-wrap: anywhere;
    }
    header, main { max-width: 1120px; margin: 0 auto; padding: 0 24px; }
    header { padding-top: 40px; }
    h1 { font-size: clamp(1.6rem, 5vw, 2.5rem); line-height: 1.15; margin: 4px 0 8px; letter-spacing: -.02em; text-wrap: balance; }
    h2 { font-size: 1.2rem; margin: 0 0 4px; letter-spacing: -.01em; }
    h3 { font-size: .8rem; margin: 20px 0 6px; color: var(--soft); font-weight: 600; }
    .kicker { margin: 0; color: var(--ours); font-size: .85rem; font-weight: 600; }
    .where, section > p { color: var(--soft); font-size: .92rem; margin: 0 0 16px; max-width: 76ch; }
    .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 12px; margin: 20px 0; padding: 0; list-style: none; }
    .tiles li { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 14px 16px; }
    .tiles b { display: block; color: var(--ink); font-size: clamp(1.35rem, 3.4vw, 1.9rem); line-height: 1.2; letter-spacing: -.02em; white-space: nowrap; }
    .tiles span { color: var(--soft); font-size: .84rem; line-height: 1.35; display: block; }
    main { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 16px; padding-bottom: 48px; }
    section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 20px 22px; min-width: 0; }
    .wide { grid-column: 1 / -1; }
    svg { display: block; width: 100%; height: auto; overflow: visible; }
    svg text { fill: var(--soft); font-size: 11px; font-family: inherit; }
    .grid { stroke: var(--line); stroke-width: 1; }
    .legend { display: flex; flex-wrap: wrap; gap: 4px 18px; list-style: none; margin: 0 0 10px; padding: 0; font-size: .86rem; }
    .legend i { display: inline-block; width: 18px; height: 0; border-top: 3px solid; vertical-align: middle; margin-right: 7px; }
    .legend .dot { width: 11px; height: 11px; border: 0; border-radius: 50%; }
    .legend .ring { width: 11px; height: 11px; border: 2px solid; border-radius: 50%; background: none; }
    .legend .dashed { border-top-style: dashed; }
    .ours { color: var(--ours); } .floor { color: var(--floor); } .second { color: var(--second); } .third { color: var(--third); }
    .rows { display: grid; gap: 4px; font-size: .9rem; }
    .row { display: grid; grid-template-columns: minmax(0, 20rem) minmax(0, 1fr) 10.5rem; gap: 0 18px; align-items: center; }
    .name { min-width: 0; line-height: 1.3; }
    .name small, .value small { color: var(--soft); }
    .value { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    .rows svg { height: 22px; }
    .axis { grid-column: 2; height: 18px; position: relative; font-size: .74rem; color: var(--soft); }
    .axis span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
    .axis .first { transform: none; } .axis .last { transform: translateX(-100%); }
    .met { color: var(--good); } .missed { color: var(--bad); }
    .verdict { font-weight: 650; }
    /* The shade at an edge goes when there is nothing more behind it. */
    .scroll {
      overflow-x: auto; max-width: 100%; overscroll-behavior-x: contain;
      background:
        linear-gradient(to left, var(--card) 30%, transparent) right / 28px 100% no-repeat local,
        linear-gradient(to left, var(--edge), transparent) right / 14px 100% no-repeat scroll;
    }
    .scroll:focus-visible { outline: 2px solid var(--ours); outline-offset: 4px; }
    table { border-collapse: collapse; font-size: .84rem; font-variant-numeric: tabular-nums; width: 100%; }
    th, td { padding: 5px 10px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
    th { color: var(--soft); font-weight: 600; }
    th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: var(--card); }
    tbody th { text-align: left; padding-top: 16px; color: var(--ink); }
    details summary { cursor: pointer; color: var(--ours); }
    ul { padding-left: 1.2em; margin: 0; font-size: .92rem; color: var(--soft); }
    @media (max-width: 760px) {
      header, main { padding-left: 14px; padding-right: 14px; }
      header { padding-top: 24px; }
      .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 10px; }
      .tiles li:last-child:nth-child(odd) { grid-column: 1 / -1; }
      main { grid-template-columns: minmax(0, 1fr); gap: 12px; }
      section { padding: 16px; }
      svg text { font-size: 15px; }
      .rows { gap: 9px; }
      .row { grid-template-columns: minmax(0, 1fr) auto; gap: 2px 10px; }
      .value { grid-area: 1 / 2; }
      .plot, .axis { grid-column: 1 / -1; }
      td:first-child, th:first-child { white-space: normal; min-width: 9.5rem; }
    }
    @media print { body { background: none; } section, .tiles li { break-inside: avoid; } }
    """
}
