"""What the facade returns: plain immutable values, ready for JSON.

Times are UTC; scores run from 0 to 1 (high is good), confidences of matches from 0 to 100 (high is
bad); money is US dollars, null where a price is not known.
"""

from __future__ import annotations

from groundwire_admin.service.views.configuration import (
    ChangeView,
    ConfigurationView,
    CostView,
    HookSettingsView,
    ModelView,
    PreviewView,
    PricesView,
    PromptView,
    ProviderView,
)
from groundwire_admin.service.views.decisions import (
    CallView,
    DecisionDetail,
    DecisionPage,
    DecisionView,
    FactorView,
    IntakeView,
    MatchView,
    ReadMatchView,
    TextState,
)
from groundwire_admin.service.views.experiment import (
    CriterionView,
    DistributionView,
    ExperimentView,
    GroupView,
    SharesView,
)
from groundwire_admin.service.views.figures import (
    AgentView,
    BinView,
    DayView,
    KindView,
    LatencyView,
    ReliabilityView,
    ShareView,
    TrendsView,
)
from groundwire_admin.service.views.scores import (
    JudgementView,
    ScoredView,
    ScoreFactorView,
    SpentView,
)
from groundwire_admin.service.views.view import View

__all__ = [
    "AgentView",
    "BinView",
    "CallView",
    "ChangeView",
    "ConfigurationView",
    "CostView",
    "CriterionView",
    "DayView",
    "DecisionDetail",
    "DecisionPage",
    "DecisionView",
    "DistributionView",
    "ExperimentView",
    "FactorView",
    "GroupView",
    "HookSettingsView",
    "IntakeView",
    "JudgementView",
    "KindView",
    "LatencyView",
    "MatchView",
    "ModelView",
    "PreviewView",
    "PricesView",
    "PromptView",
    "ProviderView",
    "ReadMatchView",
    "ReliabilityView",
    "ScoreFactorView",
    "ScoredView",
    "ShareView",
    "SharesView",
    "SpentView",
    "TextState",
    "TrendsView",
    "View",
]
