package widget

import "maps"

// protocolVersion is the version of the protocol of widgets' messages.
const protocolVersion = "2.1.0"

// traits are the properties of a widget that the front end knows, by name.
type traits = map[string]any

// A model is a class of widgets in the front end.
type model struct {
	name, view          string // view is empty if it isn't drawn
	module, version     string
	viewModule, viewVer string
	traits              traits // with their default values
	style               *model // nil if it has none
	core                bool   // whether it has no layout
	local               map[string]bool
}

const (
	baseModule, baseVersion         = "@jupyter-widgets/base", "2.0.0"
	controlsModule, controlsVersion = "@jupyter-widgets/controls", "2.0.0"
	outputModule, outputVersion     = "@jupyter-widgets/output", "1.0.0"
)

// join returns the union of sets of traits. Later ones have priority.
func join(sets ...traits) traits {
	all := traits{}
	for _, s := range sets {
		maps.Copy(all, s)
	}
	return all
}

// unset returns traits without a value.
func unset(names ...string) traits {
	t := traits{}
	for _, name := range names {
		t[name] = nil
	}
	return t
}

// Sets of traits that several models have.
var (
	domTraits       = traits{"_dom_classes": []any{}, "tabbable": nil, "tooltip": nil}
	describedTraits = join(domTraits, traits{"description": "", "description_allow_html": false})
	inputTraits     = join(describedTraits, traits{"disabled": false})
	fontTraits      = unset("font_family", "font_size", "font_style", "font_variant", "font_weight", "text_color", "text_decoration")

	sliderTraits = join(inputTraits, traits{
		"behavior": "drag-tap", "continuous_update": true, "orientation": "horizontal", "readout": true,
	})
	intSliderTraits   = join(sliderTraits, traits{"min": 0, "max": 100, "step": 1, "readout_format": "d", "value": 0})
	floatSliderTraits = join(sliderTraits, traits{"min": 0.0, "max": 100.0, "step": 0.1, "readout_format": ".2f", "value": 0.0})
	progressTraits    = join(describedTraits, traits{"bar_style": "", "orientation": "horizontal", "min": 0, "max": 100, "value": 0})
	numberTraits      = join(inputTraits, traits{"continuous_update": false, "step": 1, "value": 0})
	choiceTraits      = join(inputTraits, traits{"_options_labels": []any{}, "index": nil})
	textTraits        = join(inputTraits, traits{"continuous_update": true, "placeholder": "\u200b", "value": ""})
	labelTraits       = join(describedTraits, traits{"placeholder": "\u200b", "value": ""})
	boxTraits         = join(domTraits, traits{"box_style": "", "children": []any{}})
	stackTraits       = join(boxTraits, traits{"selected_index": nil, "titles": []any{}})
)

// controls returns a model of the front end's module of controls.
func controls(name, view string, style *model, t traits) *model {
	return &model{
		name: name + "Model", view: view, module: controlsModule, version: controlsVersion,
		viewModule: controlsModule, viewVer: controlsVersion, traits: t, style: style,
	}
}

// style returns the model of a widget's style.
func style(name string, sets ...traits) *model {
	return &model{
		name: name + "StyleModel", view: "StyleView", module: controlsModule, version: controlsVersion,
		viewModule: baseModule, viewVer: baseVersion, traits: join(sets...), core: true,
	}
}

var (
	describedStyle     = traits{"description_width": ""}
	plainStyle         = style("Description", describedStyle)
	sliderStyle        = style("Slider", describedStyle, unset("handle_color"))
	progressStyle      = style("Progress", describedStyle, unset("bar_color"))
	textStyle          = style("Text", describedStyle, unset("background", "font_size", "text_color"))
	buttonStyle        = style("Button", fontTraits, unset("button_color"))
	checkboxStyle      = style("Checkbox", describedStyle, unset("background"))
	htmlStyle          = style("HTML", describedStyle, unset("background", "font_size", "text_color"))
	htmlMathStyle      = style("HTMLMath", describedStyle, unset("background", "font_size", "text_color"))
	labelStyle         = style("Label", describedStyle, fontTraits, unset("background"))
	toggleButtonStyle  = style("ToggleButton", describedStyle, fontTraits)
	toggleButtonsStyle = style("ToggleButtons", describedStyle, traits{"button_width": "", "font_weight": ""})
)

var layoutModel = &model{
	name: "LayoutModel", view: "LayoutView", module: baseModule, version: baseVersion, viewModule: baseModule, viewVer: baseVersion, core: true,
	traits: unset(
		"align_content", "align_items", "align_self", "border_bottom", "border_left", "border_right", "border_top", "bottom", "display",
		"flex", "flex_flow", "grid_area", "grid_auto_columns", "grid_auto_flow", "grid_auto_rows", "grid_column", "grid_gap", "grid_row",
		"grid_template_areas", "grid_template_columns", "grid_template_rows", "height", "justify_content", "justify_items", "left", "margin",
		"max_height", "max_width", "min_height", "min_width", "object_fit", "object_position", "order", "overflow", "padding", "right", "top",
		"visibility", "width",
	),
}

// The models of widgets.
var (
	intSlider            = controls("IntSlider", "IntSliderView", sliderStyle, intSliderTraits)
	intRangeSlider       = controls("IntRangeSlider", "IntRangeSliderView", sliderStyle, intSliderTraits)
	floatSlider          = controls("FloatSlider", "FloatSliderView", sliderStyle, floatSliderTraits)
	floatRangeSlider     = controls("FloatRangeSlider", "FloatRangeSliderView", sliderStyle, floatSliderTraits)
	floatLogSlider       = controls("FloatLogSlider", "FloatLogSliderView", sliderStyle, join(floatSliderTraits, traits{"base": 10.0, "max": 4.0, "readout_format": ".3g", "value": 1.0}))
	intProgress          = controls("IntProgress", "ProgressView", progressStyle, progressTraits)
	floatProgress        = controls("FloatProgress", "ProgressView", progressStyle, progressTraits)
	intText              = controls("IntText", "IntTextView", plainStyle, numberTraits)
	boundedIntText       = controls("BoundedIntText", "IntTextView", plainStyle, join(numberTraits, traits{"min": 0, "max": 100}))
	floatText            = controls("FloatText", "FloatTextView", plainStyle, join(numberTraits, traits{"step": nil}))
	boundedFloatText     = controls("BoundedFloatText", "FloatTextView", plainStyle, join(numberTraits, traits{"step": nil, "min": 0, "max": 100}))
	dropdown             = controls("Dropdown", "DropdownView", plainStyle, choiceTraits)
	radioButtons         = controls("RadioButtons", "RadioButtonsView", plainStyle, join(choiceTraits, traits{"orientation": "vertical"}))
	selectList           = controls("Select", "SelectView", plainStyle, join(choiceTraits, traits{"rows": 5}))
	selectMultiple       = controls("SelectMultiple", "SelectMultipleView", plainStyle, join(choiceTraits, traits{"index": []any{}, "rows": 5}))
	selectionSlider      = controls("SelectionSlider", "SelectionSliderView", sliderStyle, join(sliderTraits, choiceTraits))
	selectionRangeSlider = controls("SelectionRangeSlider", "SelectionRangeSliderView", sliderStyle, join(sliderTraits, choiceTraits))
	toggleButtons        = controls("ToggleButtons", "ToggleButtonsView", toggleButtonsStyle, join(choiceTraits, traits{"button_style": "", "icons": []any{}, "tooltips": []any{}}))
	toggleButton         = controls("ToggleButton", "ToggleButtonView", toggleButtonStyle, join(inputTraits, traits{"button_style": "", "icon": "", "value": false}))
	checkbox             = controls("Checkbox", "CheckboxView", checkboxStyle, join(inputTraits, traits{"indent": true, "value": false}))
	button               = controls("Button", "ButtonView", buttonStyle, join(domTraits, traits{"button_style": "", "description": "", "disabled": false, "icon": ""}))
	textField            = controls("Text", "TextView", textStyle, textTraits)
	textarea             = controls("Textarea", "TextareaView", textStyle, join(textTraits, traits{"rows": nil}))
	password             = controls("Password", "PasswordView", textStyle, textTraits)
	label                = controls("Label", "LabelView", labelStyle, labelTraits)
	htmlText             = controls("HTML", "HTMLView", htmlStyle, labelTraits)
	htmlMath             = controls("HTMLMath", "HTMLMathView", htmlMathStyle, labelTraits)
	imageModel           = controls("Image", "ImageView", nil, join(domTraits, traits{"format": "png", "height": "", "width": "", "value": []byte{}}))
	colorPicker          = controls("ColorPicker", "ColorPickerView", plainStyle, join(inputTraits, traits{"concise": false, "value": "black"}))
	play                 = controls("Play", "PlayView", plainStyle, join(inputTraits, traits{"interval": 100, "max": 100, "min": 0, "playing": false, "repeat": false, "show_repeat": true, "step": 1, "value": 0}))
	box                  = controls("Box", "BoxView", nil, boxTraits)
	hBox                 = controls("HBox", "HBoxView", nil, boxTraits)
	vBox                 = controls("VBox", "VBoxView", nil, boxTraits)
	gridBox              = controls("GridBox", "GridBoxView", nil, boxTraits)
	tabModel             = controls("Tab", "TabView", nil, stackTraits)
	accordion            = controls("Accordion", "AccordionView", nil, stackTraits)
	stack                = controls("Stack", "StackView", nil, stackTraits)
	fileUpload           = controls("FileUpload", "FileUploadView", buttonStyle, join(inputTraits, traits{"accept": "", "button_style": "", "description": "Upload", "error": "", "icon": "upload", "multiple": false, "value": []any{}}))
	linkModel            = &model{
		name: "LinkModel", module: controlsModule, version: controlsVersion, viewModule: controlsModule, viewVer: controlsVersion,
		traits: traits{"source": nil, "target": nil}, core: true,
	}
	outputArea = &model{
		name: "OutputModel", view: "OutputView", module: outputModule, version: outputVersion, viewModule: outputModule, viewVer: outputVersion,
		traits: join(domTraits, traits{"msg_id": "", "outputs": []any{}}),
	}
)

func init() {
	// The front end sends files' contents once; they are not repeated to it.
	fileUpload.local = map[string]bool{"value": true}
}

// state returns a new widget's traits.
func (m *model) state() traits {
	s := join(m.traits, traits{
		"_model_name": m.name, "_model_module": m.module, "_model_module_version": m.version,
		"_view_module": m.viewModule, "_view_module_version": m.viewVer, "_view_name": nil, "_view_count": nil,
	})
	if m.view != "" {
		s["_view_name"] = m.view
	}
	return s
}
