// Draws the formulas of a page by KaTeX as MathML, which browsers show in the page's font and colours, without fonts of its own.
document$.subscribe(() => {
  for (const formula of document.querySelectorAll('.arithmatex')) {
    const text = formula.textContent.trim();
    const display = text.startsWith('\\[');
    if (display || text.startsWith('\\(')) {
      katex.render(text.slice(2, -2), formula, { output: 'mathml', displayMode: display, throwOnError: false });
    }
  }
});
